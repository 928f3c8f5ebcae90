// Records of every type for tests of filters, without an index and with each kind of index.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { RecordList } from '../../../contract/records.ts'
import type { Org } from '../../test/factories.ts'
import type { SharedService } from '../../test/shared-service.ts'
import { type IndexedAs, indexEmptyObject } from '../engine/indexed.fixture.ts'
import { buildEveryType, dataOf, type Named } from '../every-type.fixture.ts'

export const STORES: { name: string; as?: IndexedAs }[] = [
  { name: 'scanned' },
  { name: 'indexed, texts counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'indexed, texts searched', as: { texts: 'presence', keepsMissing: true } },
]

type Data = Record<string, unknown>

export interface Filled {
  org: Org
  named: Named
  /** Data by the id of its record. */
  stored: ReadonlyMap<string, Data>
}

/** Creates the object `things` with random records and the records of `more`. */
export async function fillEveryType(
  service: SharedService,
  { as, records, more = [] }: { as?: IndexedAs | undefined; records: number; more?: Data[] },
): Promise<Filled> {
  const org = await service.org()
  const { id: _, ...named } = await buildEveryType(org, async (id) => {
    if (as) await indexEmptyObject(service.ctx.db, id, as)
  })
  const stored = new Map<string, Data>()
  // Referenced records have values too, and refer to others.
  const targets = fc.sample(dataOf(named), named.targets.length)
  const patched = await org.post<{ failed: unknown[] }>('/objects/things/records/bulk', {
    mode: 'upsert',
    records: named.targets.map((id, index) => ({ id, data: targets[index] ?? {} })),
  })
  expect(patched.body.failed).toEqual([])
  for (const [index, id] of named.targets.entries()) stored.set(id, targets[index] ?? {})
  const rows = [...fc.sample(dataOf(named), records), ...more]
  for (let from = 0; from < rows.length; from += 100) {
    const batch = rows.slice(from, from + 100)
    const body = { records: batch.map((data) => ({ data })) }
    const reply = await org.post<{ failed: unknown[]; results: { id: string }[] }>(
      '/objects/things/records/bulk',
      body,
    )
    expect(reply.body.failed).toEqual([])
    for (const [index, { id }] of reply.body.results.entries()) stored.set(id, batch[index] ?? {})
  }
  await readNames(service, org, stored)
  // Autovacuum makes statistics only after a minute. Without them, filters along references read all records for each
  // record.
  await service.ctx.db.run(sql`analyze records`)
  return { org, named, stored }
}

/** Reads stored lists of names: of names with the same text, such as one first name and one last name, one is kept. */
async function readNames({ ctx }: SharedService, { org }: Org, stored: Map<string, Data>): Promise<void> {
  const rows = await ctx.db.many<{ id: string; many_name: unknown }>(sql`
    select id, data->'many_name' as many_name from records where org = ${org} and data ? 'many_name'`)
  for (const { id, many_name } of rows) if (stored.has(id)) stored.set(id, { ...stored.get(id), many_name })
}

/** The records that search finds on all pages, and the total of each page. */
export async function allFound(
  org: Org,
  search: Record<string, unknown>,
): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = []
  const totals: number[] = []
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await org.post<RecordList>('/objects/things/records/search', {
      ...search,
      limit: 100,
      ...(cursor && { cursor }),
    })
    expect(status, JSON.stringify(body)).toBe(200)
    ids.push(...body.records.map(({ id }) => id))
    totals.push(body.pagination.total ?? 0)
    cursor = body.pagination.nextCursor
    if (!cursor) return { ids, totals }
  }
}
