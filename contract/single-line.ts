// Single-line values: surrounding invisible characters are removed. The server and the dashboard share these rules.

/**
 * Unicode spaces and zero-width characters: soft hyphen, zero-width space, joiners, direction marks, word joiner, byte
 * order mark. Variation selectors and tags are not included, because emoji end with them.
 */
const INVISIBLE = String.raw`[\p{White_Space}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]`
const AROUND = new RegExp(`^${INVISIBLE}+|(?<!${INVISIBLE})${INVISIBLE}+$`, 'gu')

const isPlain = (code: number | undefined) => code !== undefined && code > 0x20 && code < 0x7f

/** The text without surrounding spaces and zero-width characters. */
export function trimmed(text: string): string {
  // Fast path: most texts begin and end with a visible ASCII character.
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text
  return text.replaceAll(AROUND, '')
}

export const isBlank = (text: string): boolean => trimmed(text) === ''

/** NFC makes composed and decomposed letters equal, because they look the same. */
export const inNfc = (text: string): string => text.normalize('NFC')

/** The form in which single-line values are stored and compared. */
export const singleLine = (text: string): string => trimmed(inNfc(text))

const UNSEEN = /[^\S ]|[\p{Cc}\p{Cf}]/u

/** `U+200B` */
const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The end of a message: names the first invisible character or unusual space; '' without one. */
export function unseenHint(text: string): string {
  const found = UNSEEN.exec(text)
  return found ? `. The text contains ${codePoint(found[0])}: leave this character out` : ''
}
