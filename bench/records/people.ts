// The people of the data set. Person n is the same in every run. The cases rely on the shares of the values.
import { createRandom, type Random } from '../../server/demo/random.ts'
import { CITIES, FIRST_NAMES, LAST_NAMES, NOTE_WORDS } from './words.ts'

/** The data of one record: 16 attributes, of which the last five are often empty. */
export interface Person {
  name: { firstName: string; lastName: string }
  email: string
  phone: string
  company?: string
  industry: string
  employees: number
  revenue: { amount: number; currency: string }
  is_customer: boolean
  last_contacted: string
  notes: string
  city: string
  job_title?: string
  linkedin?: string
  website?: string
  score?: number
  source?: string
}

/** A fifth of the people are in the first industry, one in ten thousand in the last. */
export const INDUSTRIES = [
  ...['Software', 'Finance', 'Healthcare', 'Retail', 'Manufacturing', 'Education', 'Real estate', 'Energy'],
  ...['Media', 'Logistics', 'Telecom', 'Insurance', 'Hospitality', 'Agriculture', 'Legal', 'Consulting'],
  ...['Biotech', 'Aerospace', 'Nonprofit', 'Mining'],
]
export const SOURCES = ['web', 'referral', 'event', 'ads', 'import']
/** Each domain has a seventh of the people. */
export const DOMAINS = [
  ...['example.com', 'mail.test', 'corp.example', 'acme.test', 'globex.example', 'initech.test'],
  'umbrella.example',
]
const CURRENCIES = ['USD', 'EUR', 'GBP']

const SEED = 2026
const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2024, 0, 1)
const NOTE_LENGTH = 12
const COMMON_SHARE = 0.2
const SECOND_SHARE = 0.35
const RARE_SHARE = 0.0001

/** Picks an item at random. The higher `skew`, the more often one of the first items. */
function often<Item>(random: Random, items: readonly Item[], skew: number): Item {
  const item = items[Math.floor(random.next() ** skew * items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from')
  return item
}

function industryOf(random: Random): string {
  const share = random.next()
  const [common = '', second = '', ...rest] = INDUSTRIES
  if (share < COMMON_SHARE) return common
  if (share < SECOND_SHARE) return second
  if (share > 1 - RARE_SHARE) return rest.at(-1) ?? ''
  return often(random, rest.slice(0, -1), 1.5)
}

/** The logarithm is distributed evenly: a tenth of the people have more than exp(0.9 × 11) employees. */
const employeesOf = (random: Random) => Math.floor(Math.exp(random.next() * 11))

const money = (random: Random) => Math.round(Math.exp(random.next() * 14) * 100) / 100

const day = (random: Random) =>
  new Date(FIRST_DAY + random.integer(0, 800) * DAY_MS).toISOString().slice(0, 10)

function optional(random: Random, n: number, last: string): Partial<Person> {
  const has = (share: number) => random.chance(share)
  return {
    ...(has(0.5) && { job_title: `${often(random, NOTE_WORDS, 3)} manager` }),
    ...(has(0.05) && { linkedin: `linkedin.com/in/${last}${n}` }),
    ...(has(0.2) && { website: `https://www.${last}.example/${n % 1000}` }),
    ...(has(0.15) && { score: random.integer(0, 1000) / 10 }),
    ...(has(0.3) && { source: random.pick(SOURCES) }),
  }
}

export interface PersonOptions {
  /** Prefix of the email address, so that people of different marks never share an address. */
  mark?: string
  /** Number of companies, and the id of the nth company. */
  companies?: { count: number; idOf: (nth: number) => string }
}

/** Person number `n`, from 0. */
export function personAt(n: number, { mark = '', companies }: PersonOptions = {}): Person {
  const random = createRandom(SEED, n)
  const firstName = random.pick(FIRST_NAMES)
  const lastName = often(random, LAST_NAMES, 2)
  const last = lastName.toLowerCase()
  return {
    name: { firstName, lastName },
    email: `${mark}${firstName.toLowerCase()}.${last}${n}@${random.pick(DOMAINS)}`,
    phone: `+1${2_000_000_000 + Math.floor(random.next() * 7_999_999_999)}`,
    ...(companies && { company: companies.idOf(random.integer(0, companies.count - 1)) }),
    industry: industryOf(random),
    employees: employeesOf(random),
    revenue: { amount: money(random), currency: random.pick(CURRENCIES) },
    is_customer: random.chance(0.1),
    last_contacted: day(random),
    notes: Array.from({ length: NOTE_LENGTH }, () => often(random, NOTE_WORDS, 2)).join(' '),
    city: often(random, CITIES, 1.5),
    ...optional(random, n, last),
  }
}
