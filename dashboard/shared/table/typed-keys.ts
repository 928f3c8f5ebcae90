// Keys that begin to type into a cell: what they write goes into its editor, also what an input method composes.
import { isApple } from '../shortcuts/shortcuts.ts'

/** A dead key, or one that an input method takes: which character comes of it is not known yet. */
const COMPOSING = new Set(['Dead', 'Process'])

export interface TypedKey {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  isAltGraph: boolean
}

/** Option writes characters on Apple's keyboards, AltGr on others. */
const writes = ({ ctrlKey, metaKey, altKey, isAltGraph }: TypedKey, apple: boolean) =>
  isAltGraph || (!ctrlKey && !metaKey && (!altKey || apple))

/** Space is not among them: it selects the row. */
export function isTyping(typed: TypedKey, apple = isApple()): boolean {
  const { key } = typed
  if (COMPOSING.has(key)) return true
  return key !== ' ' && [...key].length === 1 && writes(typed, apple)
}
