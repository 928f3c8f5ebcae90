// Three objects that reference each other in every way, and random records of them. The records are inserted directly
// into the table, because the test chooses their ids, which contain the creation time.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import { newIdAt } from '../base/id.ts'
import type { Context } from '../context.ts'
import type { Org } from '../test/factories.ts'

interface AttributeFacts {
  type: AttributeType
  isList?: boolean
  /** For references: the slug of the referenced object. */
  to?: string
}

export const STAGES = ['New', 'Open', 'Won']
export const TAGS = ['a', 'b', 'c']

export const OBJECTS: Readonly<Record<string, Readonly<Record<string, AttributeFacts>>>> = {
  firms: {
    title: { type: 'text' },
    size: { type: 'number' },
    budget: { type: 'currency' },
    parent: { type: 'reference', to: 'firms' },
  },
  offers: {
    title: { type: 'text' },
    amount: { type: 'currency' },
    weight: { type: 'number' },
    stage: { type: 'select' },
    closed: { type: 'date' },
    done: { type: 'checkbox' },
    tags: { type: 'list' },
    firm: { type: 'reference', to: 'firms' },
    partners: { type: 'reference', to: 'firms', isList: true },
  },
  staff: {
    title: { type: 'text' },
    age: { type: 'number' },
    firm: { type: 'reference', to: 'firms' },
  },
}

export interface PlainRecord {
  id: string
  createdMs: number
  data: Record<string, unknown>
}
export type World = Readonly<Record<string, readonly PlainRecord[]>>

/** Times near year ends and clock changes in Berlin, New York and on Lord Howe Island (half an hour). */
const TIMES = [
  '2025-12-31T22:30:00Z',
  '2025-12-31T23:30:00Z',
  '2026-01-01T00:30:00Z',
  '2026-03-08T04:59:59Z',
  '2026-03-08T07:00:00Z',
  '2026-03-28T23:30:00Z',
  '2026-03-29T00:59:59Z',
  '2026-03-29T22:30:00Z',
  '2026-04-04T13:29:00Z',
  '2026-04-04T13:31:00Z',
  '2026-10-24T22:30:00Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T22:59:59Z',
  '2026-10-25T23:00:00Z',
  '2026-11-01T03:59:59Z',
  '2026-11-01T04:30:00Z',
].map((text) => Date.parse(text))

export const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']

const number = fc.constantFrom(0, 0.1, 0.2, 2.5, -3, 10.25, 0.0001, 1000, 7)
const amount = fc.record({ amount: number, currency: fc.constantFrom('USD', 'EUR', 'EUR') })
const title = fc.constantFrom('Alpha', 'beta', 'Ünit', 'a%_')
const day = fc.constantFrom(
  '2025-12-31',
  '2026-01-01',
  '2026-01-04',
  '2026-01-05',
  '2026-03-31',
  '2026-04-01',
  '2026-07-15',
)

function dataOf(object: string, firms: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const firm = fc.constantFrom(...firms)
  const fields: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
    firms: { title, size: number, budget: amount, parent: firm },
    offers: {
      title,
      amount,
      weight: number,
      stage: fc.constantFrom(...STAGES),
      closed: day,
      done: fc.boolean(),
      tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
      firm,
      partners: fc.uniqueArray(firm, { maxLength: 3 }),
    },
    staff: { title, age: number, firm },
  }
  return fc.record(fields[object] ?? {}, { requiredKeys: [] })
}

export async function buildObjects(org: Org): Promise<void> {
  const ids = new Map<string, string>()
  for (const slug of Object.keys(OBJECTS)) {
    const names = { pluralName: slug, singularName: slug, slug }
    const { body } = await org.post<{ id: string }>('/objects', names)
    ids.set(slug, body.id)
  }
  for (const [object, attributes] of Object.entries(OBJECTS))
    for (const [slug, { type, isList = false, to }] of Object.entries(attributes)) {
      const target = to === undefined ? undefined : { allowed_object_id: ids.get(to) }
      const config = type === 'select' ? { options: STAGES } : target
      const reply = await org.post(`/objects/${object}/attributes`, {
        name: slug,
        slug,
        type,
        isList,
        config,
      })
      if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
    }
}

const COUNTS: Readonly<Record<string, number>> = { firms: 8, offers: 45, staff: 14 }

function randomWorld(seed: number): World {
  const made = (object: string, firms: readonly string[]): PlainRecord[] => {
    const count = COUNTS[object] ?? 0
    const times = fc.sample(fc.constantFrom(...TIMES), { numRuns: count, seed })
    const ids = times.map((ms) => newIdAt(new Date(ms)))
    const data = fc.sample(dataOf(object, object === 'firms' ? ids : firms), {
      numRuns: count,
      seed: seed + 1,
    })
    return ids.map((id, index) => ({ id, createdMs: times[index] ?? 0, data: data[index] ?? {} }))
  }
  const firms = made('firms', [])
  const firmIds = firms.map(({ id }) => id)
  return { firms, offers: made('offers', firmIds), staff: made('staff', firmIds) }
}

/** Replaces the records of the organization by random ones. */
export async function fillWorld({ db }: Pick<Context, 'db'>, { org }: Org, seed: number): Promise<World> {
  const world = randomWorld(seed)
  await db.run(sql`delete from records where org = ${org}`)
  for (const [slug, records] of Object.entries(world))
    await db.run(sql`
      insert into records (org, obj, id, updated_at, data)
      select ${org}, obj, (one->>'id')::uuid, now(), one->'data'
      from objects, jsonb_array_elements(${JSON.stringify(records)}::jsonb) as one
      where org = ${org} and slug = ${slug}`)
  return world
}
