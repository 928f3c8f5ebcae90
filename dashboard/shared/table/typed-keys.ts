// Keys that start typing in a cell. Their character goes into the editor, including the text of an input method.
import { isApple } from '../shortcuts/shortcuts.ts'

/** A dead key, or a key that an input method handles. The resulting character is not known yet. */
const COMPOSING = new Set(['Dead', 'Process'])

export interface TypedKey {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  isAltGraph: boolean
}

/** Option writes characters on Apple's keyboards, AltGr on other keyboards. */
const writes = ({ ctrlKey, metaKey, altKey, isAltGraph }: TypedKey, apple: boolean) =>
  isAltGraph || (!ctrlKey && !metaKey && (!altKey || apple))

/** Space does not start typing: it selects the row. */
export function isTyping(typed: TypedKey, apple = isApple()): boolean {
  const { key } = typed
  if (COMPOSING.has(key)) return true
  return key !== ' ' && [...key].length === 1 && writes(typed, apple)
}
