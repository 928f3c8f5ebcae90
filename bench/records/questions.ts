// The questions of the bench, each as a request to the service and as SQL on the limit's table.
import sql, { raw, type Sql } from 'sql-template-tag'
import { COMMON_INDUSTRY, MANY_EMPLOYEES, RARE_INDUSTRY } from './companies.ts'
import { LIMIT_NAME } from './limit-table.ts'
import { DOMAINS, INDUSTRIES, type Person } from './people.ts'
import { NOTE_WORDS, RARE_CITY } from './words.ts'

export const PAGE_SIZE = 50

export interface Question {
  name: string
  /** Filters of the list: slug, operator, operand. */
  filters: readonly (readonly [slug: string, operator: string, operand: string])[]
  /** A record matches when it matches one of the filters. */
  isAny?: boolean
  /** What to sort by, ascending; unset: the newest first. */
  sort?: 'employees' | 'name' | 'updated_at'
  offset?: number
  /** The page begins after this many records, by cursor. */
  behind?: number
  /** The same filters as a condition on the limit's table. */
  where: Sql
  /** The total can be added up from counts of values, and no other question measures the same total. */
  isCountable: boolean
  /** Searches for a part of a long text. It has no fixed maximum, only a ratio to the limit. */
  isFreeText?: boolean
}

type Options = Partial<Pick<Question, 'isAny' | 'sort' | 'offset' | 'behind' | 'isCountable' | 'isFreeText'>>

const question = (
  name: string,
  filters: Question['filters'],
  where: Sql,
  options: Options = {},
): Question => ({ name, filters, where, isCountable: true, ...options })

const name = raw(LIMIT_NAME)

/** Numbers of employees that a thousandth, a tenth and nine tenths of the people exceed. */
const MORE_THAN = { '0.1 %': 59_201, '10 %': 19_943, '90 %': 2 }
/** A word in three of a thousand notes. */
export const RARE_WORD = NOTE_WORDS[1600] ?? ''

function equalsQuestions(some: Pick<Person, 'email'>): Question[] {
  const [common = '', rare = ''] = [INDUSTRIES[0], INDUSTRIES.at(-1)]
  return [
    question('email equals', [['email', 'equals', some.email]], sql`lower(email) = ${some.email}`, {
      isCountable: false,
    }),
    question('industry equals, 20 %', [['industry', 'equals', common]], sql`industry = ${common}`),
    question('industry equals, 0.01 %', [['industry', 'equals', rare]], sql`industry = ${rare}`),
  ]
}

/** The text between the first dot and the @, without its last two characters. Few people share it. */
const partOf = ({ email }: Pick<Person, 'email'>) =>
  email.slice(email.indexOf('.') + 1, email.indexOf('@') - 2)

function textQuestions(some: Pick<Person, 'email'>): Question[] {
  const [rareCity, domain, part] = [RARE_CITY.slice(3), `@${DOMAINS[1]}`, partOf(some)]
  const has = (text: string) => `%${text}%`
  return [
    question(
      'city contains, few',
      [['city', 'contains', rareCity]],
      sql`lower(city) like ${has(rareCity.toLowerCase())}`,
    ),
    question('city contains, 6 %', [['city', 'contains', 'ville']], sql`lower(city) like '%ville%'`),
    question(
      'notes contains, 0.3 %',
      [['notes', 'contains', RARE_WORD]],
      sql`lower(notes) like ${has(RARE_WORD)}`,
      { isCountable: false, isFreeText: true },
    ),
    question('email contains, few', [['email', 'contains', part]], sql`lower(email) like ${has(part)}`, {
      isCountable: false,
    }),
    question('name startsWith, 1 %', [['name', 'startsWith', 'mari']], sql`${name} like 'mari%'`, {
      isCountable: false,
    }),
    question(
      'email endsWith, 14 %',
      [['email', 'endsWith', domain]],
      sql`lower(email) like ${`%${domain}`}`,
      {
        isCountable: false,
      },
    ),
  ]
}

/** A quick search as in a table of the dashboard, over all texts that the limit has an index for. */
function quickSearch(some: Pick<Person, 'email'>): Question {
  const part = partOf(some)
  const has = `%${part}%`
  return question(
    'any of four texts contains, few',
    ['name', 'email', 'notes', 'city'].map((slug) => [slug, 'contains', part] as const),
    sql`${name} like ${has} or lower(email) like ${has} or lower(notes) like ${has} or lower(city) like ${has}`,
    { isAny: true, isCountable: false },
  )
}

/** Two characters are too short for a trigram. */
const twoCharacters = (): Question =>
  question('name contains two characters', [['name', 'contains', 'zy']], sql`${name} like '%zy%'`, {
    isCountable: false,
  })

const orderingQuestions = (): Question[] =>
  Object.entries(MORE_THAN).map(([share, bound]) =>
    question(
      `employees greaterThan, ${share}`,
      [['employees', 'greaterThan', String(bound)]],
      sql`employees > ${bound}::int`,
    ),
  )

const emptyQuestions = (): Question[] => [
  question('linkedin isEmpty, 95 %', [['linkedin', 'isEmpty', 'true']], sql`linkedin is null`),
  question('linkedin isNotEmpty, 5 %', [['linkedin', 'isNotEmpty', 'true']], sql`linkedin is not null`),
  question('is_customer isTrue, 10 %', [['is_customer', 'isTrue', 'true']], sql`is_customer`),
]

function twoFilters(): Question {
  const [common = ''] = INDUSTRIES
  const bound = MORE_THAN['10 %']
  return question(
    'industry and employees, 2 %',
    [
      ['industry', 'equals', common],
      ['employees', 'greaterThan', String(bound)],
    ],
    sql`industry = ${common} and employees > ${bound}::int`,
    { isCountable: false },
  )
}

/** Filters on the company that a person works for. */
function referenceQuestions(): Question[] {
  const of = (condition: Sql) => sql`company in (select id from bench.companies where ${condition})`
  const options = { isCountable: false }
  const industry = (share: string, value: string) =>
    question(
      `company.industry equals, ${share}`,
      [['company.industry', 'equals', value]],
      of(sql`industry = ${value}`),
      options,
    )
  return [
    industry('20 %', COMMON_INDUSTRY),
    industry('0.1 %', RARE_INDUSTRY),
    question(
      'company.employees greaterThan, 1 %',
      [['company.employees', 'greaterThan', String(MANY_EMPLOYEES)]],
      of(sql`employees > ${MANY_EMPLOYEES}::int`),
      options,
    ),
  ]
}

const all = sql`true`

export const FIRST_PAGE = 'list, page 1'
const FIRST_SORTED = 'sort by employees'

/** Name of the question whose page a page by cursor is compared with. */
export const firstOf = ({ sort }: Pick<Question, 'sort'>): string => (sort ? FIRST_SORTED : FIRST_PAGE)

/** Deep pages, as shares of the records: offset 900,000 and page 10,000 of a million. */
const OFFSET_SHARE = 0.9
const CURSOR_SHARE = 0.5
/** The place that is farthest from both ends. */
const MIDDLE = 0.5

const offsetOf = (records: number, share = OFFSET_SHARE) => Math.floor(records * share)
const behindOf = (records: number) => Math.floor((records * CURSOR_SHARE) / PAGE_SIZE) * PAGE_SIZE

const paged = (name: string, options: Options) => question(name, [], all, { ...options, isCountable: false })

const pageQuestions = (records: number): Question[] => [
  question(FIRST_PAGE, [], all),
  paged('list, offset at 90 %', { offset: offsetOf(records) }),
  paged('list, cursor at 50 %', { behind: behindOf(records) }),
]

const sortQuestions = (records: number): Question[] => [
  paged(FIRST_SORTED, { sort: 'employees' }),
  paged('sort by employees, offset at 90 %', { sort: 'employees', offset: offsetOf(records) }),
  paged('sort by employees, cursor at 50 %', { sort: 'employees', behind: behindOf(records) }),
  paged('sort by name', { sort: 'name' }),
  paged('sort by updated_at, offset at 90 %', { sort: 'updated_at', offset: offsetOf(records) }),
  paged('sort by updated_at, offset at 50 %', { sort: 'updated_at', offset: offsetOf(records, MIDDLE) }),
]

/** @param some a person whose values are searched for */
export const questionsOf = (records: number, some: Pick<Person, 'email'>): Question[] => [
  ...pageQuestions(records),
  ...equalsQuestions(some),
  ...textQuestions(some),
  quickSearch(some),
  twoCharacters(),
  ...orderingQuestions(),
  ...emptyQuestions(),
  twoFilters(),
  ...referenceQuestions(),
  ...sortQuestions(records),
]

/** Names of the eight questions that four clients send in turn. */
const IN_TURN = [
  ...['industry equals, 20 %', 'industry equals, 0.01 %', 'city contains, 6 %', 'name startsWith, 1 %'],
  ...['employees greaterThan, 10 %', 'employees greaterThan, 90 %', 'linkedin isEmpty, 95 %'],
  'is_customer isTrue, 10 %',
]

export const inTurn = (questions: readonly Question[]): Question[] =>
  questions.filter((one) => IN_TURN.includes(one.name))
