// Kinds of activities; apart from their schemas so that the browser loads only the list.
export const ACTIVITY_TYPES = ['note', 'call', 'meeting', 'task', 'email'] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]
