// The message after an activity was restored.
import type { RestoredActivity } from '../../../contract/activity-trash.ts'
import { counted } from '../../../contract/counted.ts'

export const restoredText = ({ activity, lossCount }: RestoredActivity): string =>
  lossCount === 0
    ? `“${activity.title}” was restored`
    : `“${activity.title}” was restored, without ${counted(lossCount, 'record')} that ${lossCount === 1 ? 'was' : 'were'} deleted`
