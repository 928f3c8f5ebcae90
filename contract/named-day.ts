// Reads dates with month names: `12 Mar 2026`, `March 12th, 2026`, `12. März 2026`, `12-mars-26`.

/** Languages of month names. English is last, because its names replace equal names of other languages. */
const LANGUAGES = [
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'da',
  'nb',
  'sv',
  'fi',
  'pl',
  'cs',
  'hu',
  'ro',
  'tr',
  'en-GB',
  'en',
]
/** Other month names that spreadsheets write. */
const OTHER_NAMES: readonly (readonly [string, number])[] = [
  ['mrz', 3],
  ['maerz', 3],
]

/** A word in lower case without accents and punctuation. */
const bare = (word: string): string =>
  word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}]/gu, '')

const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15))

/** Month names formatted without and with a day, because some languages inflect the name. */
function monthsOf(language: string): [string, number][] {
  const forms = (['long', 'short'] as const).flatMap((month) => [
    { month },
    { month, day: 'numeric' as const },
  ])
  return forms.flatMap((form) => {
    const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' })
    return MONTHS.map((date, at): [string, number] => {
      const parts = format.formatToParts(date)
      return [bare(parts.find(({ type }) => type === 'month')?.value ?? ''), at + 1]
    })
  })
}

/** If a name means different months in two languages, only its English meaning is used. */
function namesOfMonths(): ReadonlyMap<string, number> {
  const found = new Map<string, number | undefined>(OTHER_NAMES)
  for (const language of LANGUAGES)
    for (const [name, month] of monthsOf(language)) {
      const isOther = !language.startsWith('en') && found.has(name) && found.get(name) !== month
      found.set(name, isOther ? undefined : month)
    }
  return new Map([...found].flatMap(([name, month]) => (month && name ? [[name, month] as const] : [])))
}

let names: ReadonlyMap<string, number> | undefined

/** Creates the names at first use, because most files have no dates with month names. */
function monthNamed(word: string): number | undefined {
  names ??= namesOfMonths()
  return names.get(bare(word))
}

const CLOCK = /[\sT,]+\d{1,2}:\d{2}.*$/s
const FILLERS = new Set(['of', 'de', 'del', 'den', 'the'])
const DAY = /^(\d{1,2})(?:st|nd|rd|th|er|e|º|ª)?$/i
const YEAR = /^['’]?(\d{2}|\d{4})$/

type Parts = readonly [day: string | undefined, month: string | undefined, year: string | undefined]

/** Sorts three words into day, month and year. The input begins with the month, the day or the year. */
function inOrder([first = '', second = '', third = '']: readonly string[]): Parts {
  if (monthNamed(first) !== undefined) return [second, first, third]
  return /^\d{4}$/.test(first) ? [third, second, first] : [first, second, third]
}

/**
 * @param fullYear completes a year of two digits
 * @returns `2026-03-12`; undefined if the text is no date with a month name
 */
export function readNamedDay(text: string, fullYear: (digits: string) => string): string | undefined {
  if (!/\p{Letter}{3}/u.test(text)) return undefined
  const words = text
    .replace(CLOCK, '')
    .split(/[\s,./-]+/)
    .filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()))
  const hasWeekday = words.length === 4 && /^\p{Letter}+$/u.test(words[0] ?? '')
  const all = hasWeekday ? words.slice(1) : words
  if (all.length !== 3) return undefined
  const [dayText = '', monthText = '', yearText = ''] = inOrder(all)
  const [day, month, year] = [DAY.exec(dayText)?.[1], monthNamed(monthText), YEAR.exec(yearText)?.[1]]
  if (day === undefined || month === undefined || year === undefined) return undefined
  return `${fullYear(year)}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}
