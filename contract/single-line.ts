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
