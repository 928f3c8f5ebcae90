// Loads people by COPY, without the API: all rows that the API would have written, and the rows of the limit.
import type { ClientConfig } from 'pg'
import { newId, newIdAt } from '../../server/base/id.ts'
import { createRandom } from '../../server/demo/random.ts'
import { companyId } from './companies.ts'
import { type CopyTable, copyLine, openCopy } from './copy.ts'
import { LIMIT_COLUMNS, LIMIT_TABLE, limitLine, type RecordTimes } from './limit-table.ts'
import type { PeopleObject } from './objects.ts'
import { type Person, personAt } from './people.ts'

export interface LoadPlan {
  /** Receives `records` people, which are in the limit's table too. */
  object: PeopleObject
  records: number
  companies: number
  /** Receive `backgroundRecords` people in turn, spread evenly among the people of `object`. */
  background: readonly PeopleObject[]
  backgroundRecords: number
  /** Author of all records. */
  userId: string
}

const TABLES = {
  records: 'records (org, obj, id, updated_at, data, comparable)',
  uniques: 'uniques (org, attr, value, id)',
  links: 'links (org, attr, target, id)',
  events: 'events (org, id, type, obj, subject, actor, data)',
  limit: `${LIMIT_TABLE} (${LIMIT_COLUMNS})`,
}

type Copies = Record<keyof typeof TABLES, CopyTable>

async function openCopies(connection: ClientConfig): Promise<Copies> {
  const entries = await Promise.all(
    Object.entries(TABLES).map(async ([name, target]) => [name, await openCopy(connection, target)] as const),
  )
  return Object.fromEntries(entries) as Copies
}

const DAY_MS = 86_400_000
const SPAN_MS = 500 * DAY_MS
const CHANGES_WITHIN_MS = 100 * DAY_MS
const TIMES_SEED = 7

/** Creation times are spread evenly over the last 500 days. Half of the people were changed later. */
function timesOf(place: number, total: number, nowMs: number): RecordTimes {
  const createdMs = Math.floor(nowMs - SPAN_MS + (SPAN_MS / total) * place)
  const { next } = createRandom(TIMES_SEED, place)
  const changedMs = createdMs + Math.floor(next() * CHANGES_WITHIN_MS)
  const updatedMs = next() < 0.5 ? createdMs : Math.min(changedMs, nowMs)
  return {
    id: newIdAt(new Date(createdMs)),
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(updatedMs).toISOString(),
  }
}

interface Entry {
  object: PeopleObject
  times: RecordTimes
  person: Person
  userId: string
}

/** Writes the rows of the service's tables. Yields a promise when a connection must be waited for. */
function* recordLines(copies: Copies, { object, times, person, userId }: Entry) {
  const { org, obj, emailAttr, companyAttr } = object
  const { id } = times
  const data = JSON.stringify(person)
  const comparable = JSON.stringify({ phone: person.phone })
  yield copies.records.copy.write(copyLine([org, obj, id, times.updatedAt, data, comparable]))
  yield copies.uniques.copy.write(copyLine([org, emailAttr, person.email, id]))
  // The event is of today, also for older records: retention would delete older events during the measurement.
  yield copies.events.copy.write(copyLine([org, newId(), 'record.created', obj, id, userId, data]))
  if (companyAttr !== undefined && person.company !== undefined)
    yield copies.links.copy.write(copyLine([org, companyAttr, person.company, id]))
}

/** Whether record number `place` belongs to the measured object, whose records are spread evenly among the others. */
export const isOwn = (
  place: number,
  { records, backgroundRecords }: Pick<LoadPlan, 'records' | 'backgroundRecords'>,
): boolean => {
  const total = records + backgroundRecords
  return Math.floor(((place + 1) * records) / total) > Math.floor((place * records) / total)
}

const TOLD_EACH = 100_000

async function writeAll(copies: Copies, plan: LoadPlan, tell: (line: string) => void): Promise<void> {
  const { object, records, background, backgroundRecords, userId } = plan
  const companies = { count: plan.companies, idOf: companyId }
  const total = records + backgroundRecords
  const nowMs = Date.now()
  let own = 0
  for (let place = 0; place < total; place++) {
    const times = timesOf(place, total, nowMs)
    if (isOwn(place, plan)) {
      const person = personAt(own++, { companies })
      for (const wait of recordLines(copies, { object, times, person, userId })) if (wait) await wait
      const wait = copies.limit.copy.write(limitLine(times, person))
      if (wait) await wait
    } else {
      const other = background[(place - own) % background.length]
      const person = personAt(records + place)
      if (other)
        for (const wait of recordLines(copies, { object: other, times, person, userId })) if (wait) await wait
    }
    if ((place + 1) % TOLD_EACH === 0) tell(`${place + 1} of ${total} records`)
  }
}

/** @param tell receives the progress */
export async function loadPeople(
  connection: ClientConfig,
  plan: LoadPlan,
  tell: (line: string) => void,
): Promise<void> {
  const copies = await openCopies(connection)
  try {
    await writeAll(copies, plan, tell)
    await Promise.all(Object.values(copies).map(({ copy }) => copy.end()))
  } finally {
    await Promise.all(Object.values(copies).map(({ close }) => close()))
  }
}
