// Which pages and commands a text may mean, and the parts of a title that say so.
import { foldText, searchWords } from '../../../contract/search-text.ts'

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

/** For each character of the title whether it belongs to a word that was looked for. */
function hitsIn(characters: readonly string[], text: string): boolean[] {
  const folded = characters.map(foldText)
  // Where each character of the folded title comes from.
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

/** The title in pieces; those that were looked for are hits. */
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
