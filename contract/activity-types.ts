// The types of activities. They are separate from the schemas, so that the browser loads only this list.
export const ACTIVITY_TYPES = ['note', 'call', 'meeting', 'task', 'email'] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]
