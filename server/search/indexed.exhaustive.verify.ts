// Large objects are searched by index rows, with the same hits in the same order as in a scan of all records.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SearchHits } from '../../contract/search.ts'
import { type IndexedAs, indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { beginIndex } from '../records/engine/maintenance/begin.ts'
import { fillNext } from '../records/engine/maintenance/fill.ts'
import { findWork, type ObjectKey, sealWork } from '../records/engine/maintenance/work-store.ts'
import { buildTestService } from '../test/build-app.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { everyOther } from '../test/dose.ts'

const service = await buildTestService()
/** More records than the walk along the names reads. */
const PEOPLE = 1050

const STORES: { name: string; as?: IndexedAs; isBuilding?: boolean }[] = [
  { name: 'scanned' },
  { name: 'half built', isBuilding: true },
  { name: 'texts counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'texts searched', as: { texts: 'presence', keepsMissing: true } },
]

const person = fc.record(
  {
    name: fc.record({
      firstName: fc.constantFrom('Ada', 'Beta', 'ÉMILE', 'Maria', 'mar', 'Zoë', '100%'),
      lastName: fc.constantFrom('Ampère', 'Lovelace', 'Marinho', 'Zyx', 'Smith', 'O\\Neil'),
    }),
    phone: fc.constantFrom('+1 555 867 5309', '(555) 867-5310', '+44 20 7946 0958'),
    job_title: fc.constantFrom('Maria'),
  },
  { requiredKeys: ['name'] },
)

/** Starts the index of people, and fills it for half of them. */
async function buildHalf(objectId: string): Promise<void> {
  const { db } = service.ctx
  const object = await db.one<ObjectKey>(sql`select org, obj from objects where id = ${objectId}`)
  await beginIndex(db, object)
  await sealWork(db, object)
  const work = await findWork(db, object)
  if (!work) throw new Error('The index is not being built')
  await db.transaction((tx) => fillNext(tx, object, work, PEOPLE / 2))
}

async function fill({ as, isBuilding }: (typeof STORES)[number]): Promise<SignedInMember> {
  const org = await service.org()
  const mia = await org.member('member')
  for (const slug of ['people', 'companies']) {
    const { body } = await mia.get<{ id: string }>(`/objects/${slug}`)
    if (as) await indexEmptyObject(service.ctx.db, body.id, as)
  }
  const rows = fc.sample(person, PEOPLE).map((one, n) => ({
    ...one,
    email: `${['ada', 'x.mari', 'zy'][n % 3]}${n}@${n % 2 ? 'acme' : 'beta'}.example`,
  }))
  for (let from = 0; from < rows.length; from += 100) {
    const records = rows.slice(from, from + 100).map((data) => ({ data }))
    await org.post('/objects/people/records/bulk', { records })
  }
  if (isBuilding) await buildHalf((await mia.get<{ id: string }>('/objects/people')).body.id)
  const companies = ['Acme', 'acmeology', 'Best of Acme', 'Zyx 100%'].map((name, n) => ({
    data: { name, domain: `acme-${n}.example` },
  }))
  await org.post('/objects/companies/records/bulk', { records: companies })
  return mia
}

describe('GET /search over large objects', () => {
  const members = new Map<string, SignedInMember>()
  beforeAll(async () => {
    for (const store of STORES) members.set(store.name, await fill(store))
  })

  async function search(store: string, q: string, limit: number) {
    const reply = await members
      .get(store)
      ?.get<SearchHits>(`/search?q=${encodeURIComponent(q)}&limit=${limit}`)
    expect(reply?.status).toBe(200)
    const { records = [], isComplete } = reply?.body ?? {}
    return { isComplete, found: records.map(({ name, matched }) => [name, matched]) }
  }

  const WORDS = [
    ...[
      'ada',
      'Ma',
      'mari',
      'Maria Smith',
      'ne',
      'zyx',
      'ZOË',
      'émile',
      'é',
      'z',
      '%',
      '\\',
      'a',
      'smith',
      'Stranger',
      'Lovelace Ada',
      'emile',
      'ampere émile',
      'zoe smith',
      'marinho, mar',
      'example zyx',
      'e a',
    ],
    ...[
      'acme',
      'example',
      'ada7',
      'x.mari129',
      '12@beta',
      '867',
      '+44',
      '5309',
      '+1 (555) 867-5310',
      'me',
      'xq',
    ],
  ]

  test.each(WORDS)('finds the same hits for %s in every store', async (text) => {
    for (const limit of everyOther([1, 50], WORDS.indexOf(text))) {
      const expected = await search('scanned', text, limit)
      expect(expected.isComplete).toBe(true)
      for (const { name } of STORES.slice(1))
        expect(await search(name, text, limit), `${name}, ${limit}`).toEqual(expected)
    }
  })
})
