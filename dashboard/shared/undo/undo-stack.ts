// What was done on a page and can be undone: by the note about it, or the last of it by Ctrl+Z (⌘Z).
import { toastUndo } from '../../ui/undo-toast.tsx'
import { keysText } from '../shortcuts/shortcuts.ts'
import { toast, toastError } from '../toast.ts'

export interface Undoable {
  /** What was done: "Stage changed". */
  label: string
  /**
   * @returns what to say when it is done, false when nothing was undone and the page has said why; by default it says
   * that the change was undone
   */
  undo(): Promise<string | boolean | undefined>
  /** It is seen in place: the note is not read out, and the next such note takes its place. */
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

const pageNow = () => window.location.pathname

async function run(entry: Entry): Promise<void> {
  if (!entries.includes(entry)) return
  entries = entries.filter((one) => one !== entry)
  entry.hide()
  try {
    const said = await entry.undo()
    if (said !== false) toast(typeof said === 'string' ? said : `Undone: ${entry.label}`)
  } catch (error) {
    toastError(error, 'It was not undone.')
  }
}

/** Notes that something was done on this page, with Undo. */
export function pushUndo(undoable: Undoable): void {
  if (undoable.isQuiet) for (const entry of entries) if (entry.isQuiet) entry.hide()
  const entry: Entry = { ...undoable, page: pageNow(), hide: () => undefined }
  entries = [...entries, entry].slice(-KEPT)
  entry.hide = toastUndo(undoable.label, () => void run(entry), {
    hint: keysText(UNDO),
    isQuiet: undoable.isQuiet ?? false,
  })
}

/** @returns whether there was something to undo on this page */
export function undoLast(): boolean {
  const last = entries.findLast(({ page }) => page === pageNow())
  if (last) void run(last)
  return last !== undefined
}
