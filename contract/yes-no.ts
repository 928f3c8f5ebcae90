// Reads yes and no in files: in the languages in which spreadsheets write TRUE and FALSE, and as short forms.
import { singleLine } from './single-line.ts'

const YES =
  'true yes y on ja j wahr oui o vrai sí si s verdadero sì vero sim verdadeiro waar sann sant sandt tosi kyllä tak prawda ano pravda igen igaz da adevărat evet doğru да истина'
const NO =
  'false no n off nein falsch non faux falso não nao nee onwaar nej falsk nei usann usant ei epätosi nie fałsz ne nepravda nem hamis nu fals hayır yanlış нет ложь'

/** Numbers and marks that can also have other meanings. A column with only these is not detected as yes or no. */
const MARKS: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['x', true],
  ['✓', true],
  ['✔', true],
  ['☑', true],
  ['0', false],
  ['✗', false],
  ['✘', false],
  ['☐', false],
])

const words = (text: string, value: boolean) => text.split(' ').map((word) => [word, value] as const)

const WORDS: ReadonlyMap<string, boolean> = new Map([...words(YES, true), ...words(NO, false)])

const plain = (text: string) => singleLine(text).toLowerCase()

export const isYesOrNo = (text: string): boolean => WORDS.has(plain(text))

/** @returns undefined for other text */
export function readYesNo(text: string): boolean | undefined {
  const word = plain(text)
  return WORDS.get(word) ?? MARKS.get(word)
}
