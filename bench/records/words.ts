// Names of generated people and cities, and words of notes. They consist of syllables, so that few lines are enough.
import { createRandom } from '../../server/demo/random.ts'

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

const joined = (...parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>((words, part) => words.flatMap((word) => part.map((end) => word + end)), [''])

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** 450 names. */
export const FIRST_NAMES = joined(
  list('ma jo al e li so ka da ro an pe vi ni bea chri'),
  list('ri ha le na ste xa'),
  list('a n ne ta us'),
).map(capital)

/** 2,430 names. */
export const LAST_NAMES = joined(
  list('sm br wil jon gar mil dav rod mart hern lop gon and tay moo jack tho cla'),
  list('i o e a ar el in on er'),
  list('th son ez man ski ley wn ton ford berg well sen land es x'),
).map(capital)

/** A rare city that no other search matches. */
export const RARE_CITY = 'Quabcxy'
const RARE_CITY_PLACE = 1500

const CITY_STARTS = list(
  'ab be ca dor el fa gar hol in jo ka lam mon nor os par qui ros san tor ul ver wes xan yor zel bran clar stan mer',
)
const CITY_ENDS = list(
  'ton ville burg field ford mouth haven abcot dale port wick ham stead bridge minster combe worth pool gate land',
)

const cityAt = (place: number): string => {
  const [first = '', second = ''] = [place, Math.floor(place / 7)].map((n) => CITY_STARTS[n % 30])
  return capital(`${first}${second}${CITY_ENDS[(place * place + Math.floor(place / 30)) % 20]}`)
}

/** 2,000 cities; some have the same name. */
export const CITIES = Array.from({ length: 2000 }, (_, place) =>
  place === RARE_CITY_PLACE ? RARE_CITY : cityAt(place),
)

function shuffled(words: string[]): string[] {
  const random = createRandom(1)
  for (let last = words.length - 1; last > 0; last--) {
    const other = random.integer(0, last)
    const [a = '', b = ''] = [words[last], words[other]]
    words[last] = b
    words[other] = a
  }
  return words
}

/** About 2,000 words. Notes use the first ones most often. */
export const NOTE_WORDS = shuffled(
  joined(
    list('cus pro con in de re pre sub ex tra com per ob'),
    list('tomer ject tact ter mand port sent ceed vice fer plan mit'),
    ['', ...list('ed ing s al ion ly ment or able ive ure')],
  ),
)
