// Whether an activity matches filters, by the rules of the service: for lists that are updated in place.
import { hasWords } from '../../../../contract/search-text.ts'
import type { Activity, ActivityFilters } from '../api.ts'

type Test = (activity: Activity, filters: ActivityFilters) => boolean

const TESTS: readonly Test[] = [
  ({ type }, filters) => filters.type === undefined || type === filters.type,
  ({ createdBy }, filters) => filters.createdBy === undefined || createdBy.id === filters.createdBy,
  (activity, { assignee }) => assignee === undefined || activity.assignee === assignee,
  ({ activityDate }, { from }) => from === undefined || Date.parse(activityDate) >= Date.parse(from),
  ({ activityDate }, { to }) => to === undefined || Date.parse(activityDate) < Date.parse(to),
  ({ linkedRecords }, filters) =>
    filters.recordId === undefined || linkedRecords.some(({ recordId }) => recordId === filters.recordId),
  ({ linkedRecords }, filters) =>
    filters.objectId === undefined || linkedRecords.some(({ objectId }) => objectId === filters.objectId),
  ({ type, completedAt }, { isOpen }) =>
    isOpen === undefined || (type === 'task' && (completedAt === null) === isOpen),
  ({ title, summary }, { q }) => q === undefined || hasWords(`${title}\n${summary}`, q),
]

/** @param filters `objectId` as an id: a slug matches nothing here */
export const isInList = (activity: Activity, filters: ActivityFilters): boolean =>
  TESTS.every((test) => test(activity, filters))
