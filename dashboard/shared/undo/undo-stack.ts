// Actions on a page that can be undone: by the button of their toast, or the last one by Ctrl+Z (⌘Z).
import { toastUndo } from '../../ui/undo-toast.tsx'
import { hasUnsaved, whenSaved } from '../api/unsaved-values.ts'
import { keysText } from '../shortcuts/shortcuts.ts'
import { toast, toastError } from '../toast.ts'

export interface Undoable {
  /** Describes the action: "Stage changed". */
  label: string
  /**
   * @returns the text of the toast; undefined for the default text; false if nothing was undone and the page shows the
   * reason
   */
  undo(): Promise<string | boolean | undefined>
  /** The effect is visible on the page: the toast is not announced immediately, and the next such toast replaces it. */
  isQuiet?: boolean
}

interface Entry extends Undoable {
  /** The address of the page. */
  page: string
  hide(): void
}

const KEPT = 100
const UNDO = { keys: ['mod', 'Z'] }

let entries: Entry[] = []
/** How many actions were added since the page was loaded. */
let added = 0
/** How many are being undone. */
let undoing = 0

const pageNow = () => window.location.pathname

async function run(entry: Entry): Promise<void> {
  if (!entries.includes(entry)) return
  entries = entries.filter((one) => one !== entry)
  entry.hide()
  undoing += 1
  try {
    const said = await entry.undo()
    if (said !== false) toast(typeof said === 'string' ? said : `Undone: ${entry.label}`)
  } catch (error) {
    toastError(error, 'It was not undone.')
  } finally {
    undoing -= 1
  }
}

/** Shows a toast with an Undo button for an action on this page. */
export function pushUndo(undoable: Undoable): void {
  if (undoable.isQuiet) for (const entry of entries) if (entry.isQuiet) entry.hide()
  const entry: Entry = { ...undoable, page: pageNow(), hide: () => undefined }
  entries = [...entries, entry].slice(-KEPT)
  added += 1
  entry.hide = toastUndo(undoable.label, () => void run(entry), {
    hint: keysText(UNDO),
    isQuiet: undoable.isQuiet ?? false,
  })
}

function undoNow(): boolean {
  const last = entries.findLast(({ page }) => page === pageNow())
  if (last) void run(last)
  return last !== undefined
}

/** A change that the service refuses is reverted without an undo, and an older action stays. */
async function undoOnceSaved(): Promise<void> {
  const before = added
  await whenSaved()
  // The action is added after its change is saved.
  await new Promise((resolve) => setTimeout(resolve))
  if (added > before) undoNow()
}

/**
 * Undoes the last action on this page. A change that is still being saved is undone after it is saved.
 * @returns whether there is one
 */
export function undoLast(): boolean {
  if (!hasUnsaved() || undoing > 0) return undoNow()
  void undoOnceSaved()
  return true
}
