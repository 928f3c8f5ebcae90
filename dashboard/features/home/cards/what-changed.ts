// A short description of a change of a record.
import { counted } from '../../../../contract/counted.ts'
import type { RecentRecord } from '../api.ts'

/** "Created", "Stage changed", "3 values changed". */
export function whatChanged({
  type,
  isRestored,
  // During an upgrade, processes of the previous version answer without this field.
  changed = [],
}: Pick<RecentRecord, 'type' | 'isRestored'> & Partial<Pick<RecentRecord, 'changed'>>): string {
  if (isRestored) return 'Restored'
  if (type === 'record.created') return 'Created'
  const [only] = changed
  if (only === undefined) return 'Changed'
  return changed.length === 1 ? `${only} changed` : `${counted(changed.length, 'value')} changed`
}
