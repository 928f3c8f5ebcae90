// Reads countries as people and other programs write them. Files, requests and pasted cells have the same rules.
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

/** Names that are in neither source. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  burma: 'MM',
  congo: 'CG',
  drc: 'CD',
  easttimor: 'TL',
  england: 'GB',
  holland: 'NL',
  macedonia: 'MK',
  northernireland: 'GB',
  republicofireland: 'IE',
  scotland: 'GB',
  swaziland: 'SZ',
  vatican: 'VA',
  wales: 'GB',
}

const ALPHA_2: ReadonlySet<string> = new Set(codes.map(([alpha2 = '']) => alpha2))
const BY_ALPHA_3 = new Map(codes.map(([alpha2 = '', alpha3 = '']) => [alpha3, alpha2]))
// Checked before upper-casing, which converts some other letters to A to Z.
const LETTERS = /^[A-Za-z]{2,3}$/

/** Names are compared without case, accents, spaces and punctuation. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')

const ENGLISH: ReadonlyMap<string, string> = new Map([
  ...Object.entries(english.countries as Record<string, string | string[]>).flatMap(([code, names]) =>
    [names].flat().map((name) => [plain(name), code] as const),
  ),
  ...Object.entries(SHORT_FORMS),
])

/** The languages that most people of some country speak. */
const languages = (): Set<string> =>
  new Set([...ALPHA_2].map((region) => new Intl.Locale('und', { region }).maximize().language))

/** Names of all countries in these languages, except names that two countries have. */
function namesInLanguages(): Map<string, string> {
  const named = new Map<string, Set<string>>()
  for (const language of languages()) {
    const display = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of ALPHA_2) {
      const name = plain(display.of(code) ?? '')
      named.set(name, (named.get(name) ?? new Set()).add(code))
    }
  }
  return new Map([...named].flatMap(([name, [code = '', another]]) => (another ? [] : [[name, code]])))
}

/** Only made for a name that is not English: it takes a tenth of a second. */
let foreign: Map<string, string> | undefined

function codeOfName(text: string): string | undefined {
  const name = plain(text)
  const known = ENGLISH.get(name) ?? ENGLISH.get(name.replace(/^the/, ''))
  if (known !== undefined) return known
  foreign ??= namesInLanguages()
  return foreign.get(name)
}

/** The ISO 3166-1 alpha-2 code of a code of two or three letters, or of a name; undefined: no country has it. */
export function readCountry(text: string): string | undefined {
  const code = LETTERS.test(text) ? text.toUpperCase() : ''
  return ALPHA_2.has(code) ? code : (BY_ALPHA_3.get(code) ?? codeOfName(text))
}
