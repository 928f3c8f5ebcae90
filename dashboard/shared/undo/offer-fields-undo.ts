// Offers to undo a saved form: its fields get their earlier values. Fields that were changed since stay.
import { counted } from '../../../contract/counted.ts'
import { changedFields } from '../form/changed-fields.ts'
import { toast } from '../toast.ts'
import { pushUndo } from './undo-stack.ts'

interface SavedFields<Values> {
  /** The text of the note, such as "Retention saved". */
  label: string
  before: Values
  saved: Values
  read(): Promise<Values>
  /** Saves these fields, and shows them on the page. */
  write(earlier: Partial<Values>): Promise<unknown>
}

export function offerFieldsUndo<Values extends object>({
  label,
  before,
  saved,
  read,
  write,
}: SavedFields<Values>): void {
  const earlier = Object.entries(changedFields(saved, before))
  const undo = async () => {
    const since = changedFields(saved, await read())
    const restored = earlier.filter(([field]) => !Object.hasOwn(since, field))
    if (restored.length > 0) await write(Object.fromEntries(restored) as Partial<Values>)
    const kept = earlier.length - restored.length
    return kept === 0 ? undefined : `${counted(kept, 'value was', 'values were')} changed since and kept`
  }
  if (earlier.length === 0) toast(label)
  else pushUndo({ label, undo })
}
