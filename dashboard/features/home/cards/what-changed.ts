// What happened to a record, in a few words.
import { counted } from '../../../../contract/counted.ts'
import type { RecentRecord } from '../api.ts'

/** "Created", "Stage changed", "3 values changed". */
export function whatChanged({
  type,
  isRestored,
  // A process of the version before answers without it, while an upgrade replaces it.
  changed = [],
}: Pick<RecentRecord, 'type' | 'isRestored'> & Partial<Pick<RecentRecord, 'changed'>>): string {
  if (isRestored) return 'Restored'
  if (type === 'record.created') return 'Created'
  const [only] = changed
  if (only === undefined) return 'Changed'
  return changed.length === 1 ? `${only} changed` : `${counted(changed.length, 'value')} changed`
}
