// Values of one line: invisible characters around them are not part of them. Server and dashboard share these rules.

/**
 * Unicode's spaces, and characters without width: soft hyphen, zero-width space, joiners, marks of direction, word
 * joiner, byte order mark. Variation selectors and tags are missing, because emoji end with them.
 */
const INVISIBLE = String.raw`[\p{White_Space}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]`
const AROUND = new RegExp(`^${INVISIBLE}+|(?<!${INVISIBLE})${INVISIBLE}+$`, 'gu')

const isPlain = (code: number | undefined) => code !== undefined && code > 0x20 && code < 0x7f

/** Without the spaces and zero-width characters around it. */
export function trimmed(text: string): string {
  // Most texts begin and end with a visible character of ASCII.
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text
  return text.replaceAll(AROUND, '')
}

export const isBlank = (text: string): boolean => trimmed(text) === ''

/** One normal form of text: composed and decomposed letters look the same, and are the same. */
export const inNfc = (text: string): string => text.normalize('NFC')

/** The form in which values of one line are stored and compared. */
export const singleLine = (text: string): string => trimmed(inNfc(text))

const UNSEEN = /[^\S ]|[\p{Cc}\p{Cf}]/u

/** Of a character: `U+200B`. */
const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The end of a message: the first character that cannot be seen, of spaces only the unusual ones; '' if all can. */
export function unseenHint(text: string): string {
  const found = UNSEEN.exec(text)
  return found ? `. The text contains ${codePoint(found[0])}: leave this character out` : ''
}
