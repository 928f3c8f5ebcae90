// Which pages and commands a text may mean, and the parts of a title that say so.

const wordsOf = (text: string): string[] => text.toLocaleLowerCase().split(/\s+/).filter(Boolean)

/** Every word of the text begins a word of the title, or one that means the same. */
export function isMatch(text: string, title: string, alsoKnownAs = ''): boolean {
  const known = wordsOf(`${title} ${alsoKnownAs}`).flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
  return wordsOf(text).every((word) => known.some((one) => one.startsWith(word)))
}

/** What begins just so is what was meant. */
export const isExact = (text: string, title: string): boolean =>
  text.trim() !== '' && title.toLocaleLowerCase().startsWith(text.trim().toLocaleLowerCase())

export interface Part {
  text: string
  isHit: boolean
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The title in pieces; those that were looked for are hits. */
export function parts(title: string, text: string): Part[] {
  const words = wordsOf(text).toSorted((a, b) => b.length - a.length)
  if (words.length === 0) return [{ text: title, isHit: false }]
  const pieces = title.split(new RegExp(`(${words.map(escaped).join('|')})`, 'giu'))
  // Between the pieces that match stand those that do not: every second one is a hit.
  return pieces
    .map((piece, index) => ({ text: piece, isHit: index % 2 === 1 }))
    .filter(({ text: piece }) => piece !== '')
}
