// The rows that every system holds: the people of bench records, one column for each value.
import type { ClientConfig } from 'pg'
import { copyLine, openCopy } from '../records/copy.ts'
import { flat } from '../records/limit-table.ts'
import { INDUSTRIES, type Person, personAt, SOURCES } from '../records/people.ts'

type Kind = 'text' | 'email' | 'phone' | 'select' | 'integer' | 'decimal' | 'boolean' | 'date' | 'longText'

export interface Field {
  name: string
  kind: Kind
  options?: readonly string[]
}

export const FIELDS: readonly Field[] = [
  { name: 'first_name', kind: 'text' },
  { name: 'last_name', kind: 'text' },
  { name: 'email', kind: 'email' },
  { name: 'phone', kind: 'phone' },
  { name: 'industry', kind: 'select', options: INDUSTRIES },
  { name: 'employees', kind: 'integer' },
  { name: 'revenue', kind: 'decimal' },
  { name: 'currency', kind: 'text' },
  { name: 'is_customer', kind: 'boolean' },
  { name: 'last_contacted', kind: 'date' },
  { name: 'notes', kind: 'longText' },
  { name: 'city', kind: 'text' },
  { name: 'job_title', kind: 'text' },
  { name: 'linkedin', kind: 'text' },
  { name: 'website', kind: 'text' },
  { name: 'score', kind: 'decimal' },
  { name: 'source', kind: 'select', options: SOURCES },
]

/** Industries that lists are filtered by: all but the rarest. */
export const FILTERED = INDUSTRIES.slice(0, -1)

type Value = string | number | boolean | undefined

export const flatPerson = (person: Person): Record<string, Value> => flat(person)

export interface PeerTable {
  /** Qualified name, as SQL. */
  name: string
  /** Columns that the peer fills by itself when it creates a row. */
  extra?: { columns: readonly string[]; values(n: number): Value[] }
}

const TOLD_EACH = 250_000

/** Writes people 0 to `records - 1`, in this order, into a table that the peer has made. */
export async function copyPeople(
  connection: ClientConfig,
  { name, extra }: PeerTable,
  { records, tell }: { records: number; tell: (line: string) => void },
): Promise<void> {
  const names = FIELDS.map((field) => field.name)
  const columns = [...names, ...(extra?.columns ?? [])].map((column) => `"${column}"`)
  const { copy, close } = await openCopy(connection, `${name} (${columns})`)
  try {
    for (let n = 0; n < records; n++) {
      const person = flatPerson(personAt(n))
      const wait = copy.write(copyLine([...names.map((field) => person[field]), ...(extra?.values(n) ?? [])]))
      if (wait) await wait
      if ((n + 1) % TOLD_EACH === 0) tell(`  ${n + 1} of ${records} records`)
    }
    await copy.end()
  } finally {
    await close()
  }
}

/** How many of the first `records` people each industry has. */
export function countIndustries(records: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let n = 0; n < records; n++) {
    const { industry } = personAt(n)
    counts.set(industry, (counts.get(industry) ?? 0) + 1)
  }
  return counts
}
