// Requests for all matching records, not for a page of them, have the same results with and without an index.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AttributeDeletion, RecordDeletion } from '../../../contract/deletion.ts'
import type { GroupList } from '../../../contract/groups.ts'
import type { ObjectOverview } from '../../../contract/object-overview.ts'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import type { RecordIdList } from '../../../contract/record-sets.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { SignedInMember } from '../../test/dashboard-client.ts'
import { everyOther } from '../../test/dose.ts'
import { type IndexedAs, indexEmptyObject } from './indexed.fixture.ts'
import { foldObject } from './maintenance/fold.ts'

const service = await buildTestService()
const DEALS = 50

const STORES: { name: string; as?: IndexedAs }[] = [
  { name: 'scanned' },
  { name: 'texts counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'texts searched', as: { texts: 'presence', keepsMissing: true } },
]

const amount = fc.constantFrom('0.1', '12.5', '99999999999999999.0001', '-3')
const deal = fc.record(
  {
    name: fc.constantFrom('Alpha', 'alpha', 'Beta', 'Gamma ray', 'x'),
    stage: fc.constantFrom('Lead', 'Won', 'Lost'),
    amount: fc.record({ amount, currency: fc.constantFrom('USD', 'EUR') }),
    close_date: fc.constantFrom('2026-01-31', '2026-01-01', '2026-11-20', '0999-02-03'),
    company: fc.nat(5),
    hot: fc.boolean(),
    seats: fc.constantFrom(0, 1, 2.5),
  },
  { requiredKeys: ['name'] },
)
type Deal = Record<string, unknown> & { company?: unknown }

interface Store {
  org: number
  olivia: SignedInMember
  mia: SignedInMember
  companies: string[]
  deals: string[]
}

const stores = new Map<string, Store>()

async function open(as: IndexedAs | undefined): Promise<Store> {
  const org = await service.org()
  const olivia = await org.member('owner')
  await olivia.post('/objects/deals/attributes', { name: 'Hot', type: 'checkbox' })
  await olivia.post('/objects/deals/attributes', { name: 'Seats', type: 'number' })
  await olivia.post('/objects/deals/attributes', { name: 'Place', type: 'number' })
  for (const slug of ['deals', 'companies']) {
    const { body } = await olivia.get<{ id: string }>(`/objects/${slug}`)
    if (as) await indexEmptyObject(service.ctx.db, body.id, as)
  }
  const write = async (object: string, rows: Deal[]) => {
    const records = rows.map((data) => ({ data }))
    const reply = await org.post<{ results: { id: string }[] }>(`/objects/${object}/records/bulk`, {
      records,
    })
    return reply.body.results.map(({ id }) => id)
  }
  const companies = await write(
    'companies',
    Array.from({ length: 6 }, (_, n) => ({ name: `Company ${n}` })),
  )
  const link = ({ company, ...rest }: Deal) =>
    typeof company === 'number' ? { ...rest, company: companies[company] } : rest
  const rows = fc.sample(deal, DEALS) as Deal[]
  const deals = [...(await write('deals', rows.slice(0, DEALS / 2).map(link)))]
  deals.push(...(await write('deals', rows.slice(DEALS / 2).map(link))))
  // Clears the company of some deals. The number of statements that this takes differs between stores.
  await org.delete(`/objects/companies/records/${companies[4]}`)
  // Changes records one by one: which records of a bulk request have the same millisecond differs between stores.
  for (const [place, id] of deals.entries())
    await org.patch(`/objects/deals/records/${id}`, { data: { place } })
  // Changes values that have already been counted.
  for (const id of deals.slice(0, 20))
    await org.patch(`/objects/deals/records/${id}`, {
      data: { stage: 'Won', amount: null, seats: 1, hot: true },
    })
  for (const id of deals.slice(20, 30)) await org.delete(`/objects/deals/records/${id}`)
  return { org: org.org, olivia, mia: await org.member('member'), companies, deals }
}

async function fold({ org }: Store): Promise<void> {
  const objects = await service.ctx.db.many<{ org: number; obj: number }>(
    sql`select org, obj from objects where org = ${org} and index_state = 'ready'`,
  )
  for (const object of objects) while ((await foldObject(service.ctx.db, object)).hasMore);
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const leaf = (attributeSlug: string, operator: string, value: string) => ({ attributeSlug, operator, value })
const FILTERS = [
  undefined,
  leaf('stage', 'equals', 'Won'),
  leaf('name', 'contains', 'a'),
  leaf('name', 'contains', 'nothing'),
  leaf('seats', 'greaterThan', '1'),
  leaf('close_date', 'isEmpty', 'true'),
  { or: [leaf('name', 'equals', 'Beta'), leaf('hot', 'isTrue', 'true')] },
  { and: [leaf('stage', 'equals', 'Won'), leaf('seats', 'lessThan', '2'), leaf('name', 'startsWith', 'al')] },
]

const SORTED = ['created_at', 'updated_at', 'name', 'amount', 'close_date']

beforeAll(async () => {
  for (const { name, as } of STORES) stores.set(name, await open(as))
})

describe.each([{ isFolded: false }, { isFolded: true }])(
  'all matching records, folded: $isFolded',
  ({ isFolded }) => {
    const turn = Number(isFolded)
    /** Every other filter, with its number. The run with the other isFolded takes the rest. */
    const filters = (place: number) => everyOther([...FILTERS.entries()], place + turn)
    /** Alternates by filter and by place. `filters` gives every other number, so the number is halved. */
    const isTurn = (nr: number, place: number) => (Math.floor(nr / 2) + place) % 2 === 0

    beforeAll(async () => {
      if (isFolded) for (const store of stores.values()) await fold(store)
    })

    /** The responses of each store, with positions instead of ids. */
    async function answers<Body>(path: string, body: object): Promise<Body[]> {
      const all: Body[] = []
      for (const { mia, companies, deals } of stores.values()) {
        const reply = await mia.post<Body>(`/objects/deals/records/${path}`, body)
        expect(reply.status, JSON.stringify(reply.body)).toBe(200)
        const places = new Map([...companies, ...deals].map((id, place) => [id, `#${place}`]))
        const text = JSON.stringify(reply.body).replaceAll(ID, (id) => places.get(id) ?? id)
        all.push(JSON.parse(text))
      }
      return all
    }

    async function expectSame<Body>(path: string, body: object): Promise<Body> {
      const [scanned, ...indexed] = await answers<Body>(path, body)
      for (const one of indexed) expect(one, JSON.stringify(body)).toEqual(scanned)
      return scanned as Body
    }

    test.each(['stage', 'hot', 'close_date', 'company'])(
      'have the same groups by %s, with sums and filters',
      async (by) => {
        for (const [place, sumOf] of [undefined, 'amount', 'seats'].entries())
          for (const [, filter] of filters(place)) {
            const body = { by, ...(sumOf && { sumOf }), ...(filter && { filter }) }
            const { groups, isComplete } = await expectSame<GroupList>('groups', body)
            expect(isComplete).toBe(true)
            if (!filter) expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(DEALS - 10)
          }
      },
    )

    test('have the same ids in every order', async () => {
      for (const [place, field] of SORTED.entries())
        for (const [nr, filter] of filters(place)) {
          const isShort = isTurn(nr, place)
          const sort = { field, order: isShort ? 'asc' : 'desc' }
          await expectSame<RecordIdList>('ids', { sort, limit: isShort ? 5 : 500, ...(filter && { filter }) })
        }
    })

    test('are exported to the same file in every order', async () => {
      const columns = ['name', 'stage', 'amount', 'close_date', 'company', 'seats']
      for (const [place, field] of SORTED.entries())
        for (const [nr, filter] of filters(place)) {
          const search = isTurn(nr, place) ? undefined : 'AM'
          const sort = { field, order: place % 2 ? 'asc' : 'desc' }
          const body = { columns, sort, ...(filter && { filter }), ...(search && { search }) }
          const file = await expectSame<string>('export', body)
          if (!filter && !search) expect(file.trim().split('\n')).toHaveLength(DEALS - 10 + 1)
        }
    })

    test('have the same number in the list of objects', async () => {
      for (const { mia } of stores.values()) {
        const { body } = await mia.get<{ objects: ObjectOverview[] }>('/all-objects')
        const counts = new Map(body.objects.map(({ slug, recordCount }) => [slug, recordCount]))
        expect([counts.get('deals'), counts.get('companies'), counts.get('people')]).toEqual([
          DEALS - 10,
          5,
          0,
        ])
      }
    })

    test('have the same number of values of an attribute', async () => {
      for (const slug of ['stage', 'amount', 'name', 'company', 'seats']) {
        const counts: number[] = []
        for (const { olivia } of stores.values()) {
          const { body: object } = await olivia.get<ObjectWithAttributes>('/objects/deals')
          const id = object.attributes.find((one) => one.slug === slug)?.id
          const { body } = await olivia.get<AttributeDeletion>(`/objects/deals/attributes/${id}/deletion`)
          counts.push(body.values)
        }
        expect(counts[0], slug).toBeGreaterThan(0)
        expect(new Set(counts).size, `${slug}: ${counts.join()}`).toBe(1)
      }
    })

    test('have the same preview of their deletion', async () => {
      for (const filter of FILTERS.flatMap((one) => one ?? []))
        await expectSame<RecordDeletion>('deletion', { filter })
    })
  },
)
