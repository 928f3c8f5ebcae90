// Mentions in the text of a comment: `<@user id>`.

export type TextPart = { text: string } | { userId: string }

const MENTION = /<@([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})>/gi

export const mentionOf = (userId: string): string => `<@${userId}>`

/** Splits a text into texts and mentions, in order, without empty parts. */
export function partsOf(text: string): TextPart[] {
  // Every second piece is the captured user id.
  return text
    .split(MENTION)
    .map((piece, index) => (index % 2 === 1 ? { userId: piece.toLowerCase() } : { text: piece }))
    .filter((part) => !('text' in part) || part.text !== '')
}

/** The mentioned users, each once, in the order of the text. */
export const mentionedIn = (text: string): string[] => [
  ...new Set(partsOf(text).flatMap((part) => ('userId' in part ? [part.userId] : []))),
]

/** Plain text with names in place of ids. */
export const withNames = (text: string, nameOf: (userId: string) => string): string =>
  partsOf(text)
    .map((part) => ('text' in part ? part.text : `@${nameOf(part.userId)}`))
    .join('')
