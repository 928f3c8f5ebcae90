// A year of sales to companies and people that do not exist. The data depends only on the seed and the day. Every
// record says that it is fictional.
import type { ActivityType } from '../../contract/activity-types.ts'
import { createRandom, type Random } from './random.ts'
import {
  CITIES,
  COMPANY_FIRST,
  COMPANY_SECOND,
  FIRST_NAMES,
  JOB_TITLES,
  LAST_NAMES,
  PRODUCTS,
  STREETS,
} from './words.ts'

const SEED = 500_537
const DAY_MS = 86_400_000
const YEAR_DAYS = 365

const INDUSTRIES = [
  'Construction',
  'Education',
  'Energy',
  'Health',
  'Manufacturing',
  'Media',
  'Retail',
  'Technology',
  'Transport',
]

type Data = Record<string, unknown>

export interface FictionalCompany {
  name: string
  domain: string
  /** Index of its owner among the sellers. */
  owner: number
  data: Data
}

export interface FictionalPerson {
  /** Index of the employer among the companies. */
  company: number
  owner: number
  data: Data
}

export interface FictionalDeal {
  company: number
  owner: number
  /** Indexes among the people: the contact first, then other stakeholders. */
  people: number[]
  openedAt: Date
  /** The last day on which something happened. */
  lastAt: Date
  name: string
  data: Data
}

export interface FictionalActivity {
  /** Index of the deal. */
  deal: number
  type: ActivityType
  title: string
  summary: string
  at: Date
}

/** A task about an open deal, for the deal's owner. */
export interface FictionalTask {
  deal: number
  title: string
  dueAt: Date
  isDone: boolean
}

export interface Pipeline {
  companies: FictionalCompany[]
  people: FictionalPerson[]
  deals: FictionalDeal[]
  activities: FictionalActivity[]
  /** Planned for the next days. */
  appointments: FictionalActivity[]
  tasks: FictionalTask[]
}

/** The last company and the last person are duplicates. */
export const PIPELINE_SIZE = {
  companies: 61,
  people: 151,
  deals: 200,
  activities: 400,
  appointments: 6,
  tasks: 24,
}
const DUPLICATES = 1

/** Owners in turn, as indexes among the sellers: the demo user owns half of everything. */
const OWNERS = [0, 1, 0, 2]
export const SELLERS = 3

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const isoDay = (at: Date) => at.toISOString().slice(0, 10)
const plusDays = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS)

const ascii = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ]/g, '')
    .toLowerCase()

/** Returns a different text at every call, by repeating `make` if necessary. */
function distinct(make: () => string): () => string {
  const taken = new Set<string>()
  return () => {
    let text = make()
    while (taken.has(text)) text = make()
    taken.add(text)
    return text
  }
}

function makeCompanies(random: Random): FictionalCompany[] {
  const nextName = distinct(() => `${random.pick(COMPANY_FIRST)} ${random.pick(COMPANY_SECOND)}`)
  return times(PIPELINE_SIZE.companies - DUPLICATES, (index) => {
    const name = nextName()
    const domain = `${ascii(name).replaceAll(' ', '-')}.example.com`
    const { city, state, postalCode } = random.pick(CITIES)
    const line1 = `${random.integer(1, 980)} ${random.pick(STREETS)} Street`
    const data = {
      name,
      domain,
      industry: random.pick(INDUSTRIES),
      employees: Math.round(5 * 400 ** random.next()),
      address: { line1, city, state, postalCode, country: 'US' },
      tags: [random.pick(['prospect', 'customer', 'partner'])],
      fictional: true,
    }
    return { name, domain, owner: OWNERS[index % OWNERS.length] ?? 0, data }
  })
}

function makePeople(random: Random, companies: readonly FictionalCompany[]): FictionalPerson[] {
  const nextName = distinct(() => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`)
  return times(PIPELINE_SIZE.people - DUPLICATES, (index) => {
    // Every person has an employer, and every employer has at least one person.
    const company = index < companies.length ? index : random.integer(0, companies.length - 1)
    const [firstName = '', lastName = ''] = nextName().split(' ')
    const data = {
      name: { firstName, lastName },
      email: `${ascii(firstName)}.${ascii(lastName)}@${companies[company]?.domain}`,
      phone: `+1 202-555-01${String(random.integer(0, 99)).padStart(2, '0')}`,
      job_title: random.pick(JOB_TITLES),
      tags: [random.pick(['decision maker', 'champion', 'user'])],
      fictional: true,
    }
    return { company, owner: companies[company]?.owner ?? 0, data }
  })
}

/** The company as another member entered it, with another domain and fewer values. */
const copyOfCompany = ({ name, data }: FictionalCompany): FictionalCompany => {
  const domain = `${ascii(name).replaceAll(' ', '')}.example.com`
  return { name, domain, owner: 1, data: { name, domain, industry: data['industry'], fictional: true } }
}

/** The person with another address and without a job title. */
const copyOfPerson = ({ company, data }: FictionalPerson): FictionalPerson => {
  const { name, phone } = data
  const email = `office.${data['email']}`
  return { company, owner: 2, data: { name, email, phone, fictional: true } }
}

/** Old deals are won or lost. Young deals are open, with an expected close date. */
function fateOf(random: Random, openedAt: Date, now: Date): { stage: string; closeAt: Date } {
  const ageDays = (now.getTime() - openedAt.getTime()) / DAY_MS
  const decidedAfter = random.integer(15, 120)
  if (decidedAfter < ageDays)
    return { stage: random.chance(0.45) ? 'Won' : 'Lost', closeAt: plusDays(openedAt, decidedAfter) }
  const stage = random.pick(['Lead', 'Lead', 'Qualified', 'Qualified', 'Proposal'])
  return { stage, closeAt: plusDays(now, random.integer(5, 90)) }
}

function makeDeal(
  random: Random,
  people: readonly FictionalPerson[],
  companies: readonly FictionalCompany[],
  now: Date,
): FictionalDeal {
  const contact = random.integer(0, people.length - 1)
  const company = people[contact]?.company ?? 0
  const colleagues = people.flatMap((one, index) =>
    one.company === company && index !== contact ? [index] : [],
  )
  const openedAt = plusDays(now, -random.integer(1, YEAR_DAYS - 1))
  const { stage, closeAt } = fateOf(random, openedAt, now)
  const name = `${companies[company]?.name}: ${random.pick(PRODUCTS)}`
  const data = {
    name,
    amount: { amount: Math.round(4 * 90 ** random.next()) * 500, currency: 'USD' },
    stage,
    opened_on: isoDay(openedAt),
    close_date: isoDay(closeAt),
    fictional: true,
  }
  const lastAt = closeAt < now ? closeAt : now
  const { owner } = companies[company] ?? { owner: 0 }
  return { company, owner, people: [contact, ...colleagues.slice(0, 2)], openedAt, lastAt, name, data }
}

const KINDS = [
  ['call', 'Call about needs and timing', 'They want to decide this quarter, and asked for two references.'],
  ['call', 'Call after the demo', 'The team liked it. Their IT department has to agree.'],
  ['meeting', 'Meeting about the offer', 'Went through the offer. Two questions about delivery are open.'],
  ['meeting', 'Demo for the team', 'Showed the product to six people, who asked most about reports.'],
  ['email', 'Documents sent', 'Sent the price list and the answers of our security team.'],
  ['email', 'Answer on the terms', 'They accept the terms if the first invoice is due in January.'],
  ['note', 'Budget', 'The budget is decided at the end of the quarter.'],
  ['note', 'Who decides', 'The finance manager signs. The operations manager has to agree first.'],
] as const

const WORKDAY_MINUTES = 8 * 60
const MINUTE_MS = 60_000

/** Days since Friday; 0 on working days. */
const daysAfterFriday = (day: Date) => Math.max(0, ((day.getUTCDay() + 6) % 7) - 4)

/** A time between nine and five, at a multiple of `minutes`. */
function officeTime(random: Random, day: Date, minutes: number): Date {
  const at = 9 * 60 + random.integer(0, WORKDAY_MINUTES / minutes) * minutes
  return new Date(Date.parse(isoDay(day)) + at * MINUTE_MS)
}

/** A time on a working day in office hours, or as near to it as the deal's duration allows. */
function timeOf(random: Random, { openedAt, lastAt }: FictionalDeal): Date {
  const span = lastAt.getTime() - openedAt.getTime()
  const day = new Date(openedAt.getTime() + Math.floor(random.next() * span))
  const at = officeTime(random, plusDays(day, -daysAfterFriday(day)), 5).getTime()
  return new Date(Math.min(lastAt.getTime(), Math.max(openedAt.getTime(), at)))
}

function makeActivity(random: Random, deals: readonly FictionalDeal[], index: number): FictionalActivity {
  // Every deal gets one activity before any gets two.
  const place = index < deals.length ? index : random.integer(0, deals.length - 1)
  const deal = deals[place]
  if (!deal) throw new Error('There are activities of deals only')
  const [type, title, summary] = random.pick(KINDS)
  return { deal: place, type, title, summary, at: timeOf(random, deal) }
}

const TASKS = ['Send the offer', 'Call about timing', 'Agree on a date for the demo', 'Ask for the budget']

/** Days from today, in turn: most tasks are due in the next two weeks, a few today, and a few are overdue. */
const DUE_IN_DAYS = [0, 1, -1, 6, 2, -3, 9, 4]

const endOfDay = (at: Date) => new Date(`${isoDay(at)}T23:59:00.000Z`)

const isOpen = ({ data }: FictionalDeal) => data['stage'] !== 'Won' && data['stage'] !== 'Lost'

const openDeals = (deals: readonly FictionalDeal[]) =>
  deals.flatMap((deal, place) => (isOpen(deal) ? [{ place, name: deal.name }] : []))

/** Tasks about the open deals in turn. Tasks that were due three days ago are done. */
function makeTasks(random: Random, deals: readonly FictionalDeal[], now: Date): FictionalTask[] {
  const open = openDeals(deals)
  return times(PIPELINE_SIZE.tasks, (index) => {
    const { place, name } = open[index % open.length] ?? { place: 0, name: '' }
    const days = DUE_IN_DAYS[index % DUE_IN_DAYS.length] ?? 0
    const dueAt = endOfDay(plusDays(now, days))
    return { deal: place, title: `${random.pick(TASKS)}: ${name}`, dueAt, isDone: days < -1 }
  })
}

const AGREED = [
  ['meeting', 'Demo for the team', 'Ask beforehand which reports they look at on Mondays.'],
  ['call', 'Call about the offer', 'They have two questions about delivery.'],
  ['meeting', 'Workshop on the move of their data', 'Bring the list of columns that they sent.'],
] as const

/** Appointments about the open deals in turn, on the next working days. */
function makeAppointments(random: Random, deals: readonly FictionalDeal[], now: Date): FictionalActivity[] {
  const open = openDeals(deals)
  return times(PIPELINE_SIZE.appointments, (index) => {
    const { place = 0 } = open[index % open.length] ?? {}
    const [type, title, summary] = AGREED[index % AGREED.length] ?? AGREED[0]
    const day = plusDays(now, index + 1)
    const at = officeTime(random, plusDays(day, daysAfterFriday(day) > 0 ? 2 : 0), 30)
    return { deal: place, type, title, summary, at }
  })
}

/** @param now the end of the year that the data covers */
export function makePipeline(now: Date): Pipeline {
  const random = createRandom(SEED)
  const companies = makeCompanies(random)
  const people = makePeople(random, companies)
  const deals = times(PIPELINE_SIZE.deals, () => makeDeal(random, people, companies, now))
  const activities = times(PIPELINE_SIZE.activities, (index) => makeActivity(random, deals, index))
  const tasks = makeTasks(random, deals, now)
  const appointments = makeAppointments(random, deals, now)
  return {
    companies: [...companies, ...companies.slice(0, DUPLICATES).map(copyOfCompany)],
    people: [...people, ...people.slice(0, DUPLICATES).map(copyOfPerson)],
    deals,
    activities,
    appointments,
    tasks,
  }
}
