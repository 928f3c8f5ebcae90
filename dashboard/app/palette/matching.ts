// Matches the typed text with pages and commands, and finds the matching parts of a title.
import { foldText, searchWords } from '../../../contract/search-text.ts'

const wordsOf = (text: string): string[] => text.toLocaleLowerCase().split(/\s+/).filter(Boolean)

/** Every word of the text must begin a word of the title or of its synonyms. */
export function isMatch(text: string, title: string, alsoKnownAs = ''): boolean {
  const known = wordsOf(`${title} ${alsoKnownAs}`).flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
  return wordsOf(text).every((word) => known.some((one) => one.startsWith(word)))
}

/** A title that begins with the text is an exact match. */
export const isExact = (text: string, title: string): boolean =>
  text.trim() !== '' && title.toLocaleLowerCase().startsWith(text.trim().toLocaleLowerCase())

export interface Part {
  text: string
  isHit: boolean
}

/** For each character of the title, whether it belongs to a searched word. */
function hitsIn(characters: readonly string[], text: string): boolean[] {
  const folded = characters.map(foldText)
  // The index of the original character for each character of the folded title.
  const origins = folded.flatMap((piece, at) => Array.from({ length: piece.length }, () => at))
  const title = folded.join('')
  const hits = characters.map(() => false)
  const words = searchWords(text)
  const whole = text.trim().toLowerCase()
  for (const word of words.length > 0 || whole === '' ? words : [whole])
    for (let from = title.indexOf(word); from >= 0; from = title.indexOf(word, from + word.length))
      for (const at of origins.slice(from, from + word.length)) hits[at] = true
  return hits
}

/** Splits the title into pieces. Pieces that match the text are hits. */
export function parts(title: string, text: string): Part[] {
  const characters = Array.from(title)
  const hits = hitsIn(characters, text)
  const pieces: Part[] = []
  for (const [at, character] of characters.entries()) {
    const last = pieces.at(-1)
    const isHit = hits[at] ?? false
    if (last?.isHit === isHit) last.text += character
    else pieces.push({ text: character, isHit })
  }
  return pieces
}
