// Concurrent writers that change the records of `buildLinked`: each has an attribute that only it writes.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import type { Org } from '../../test/factories.ts'
import { type Service, stateOf } from './identity.fixture.ts'

type Value = (n: number, ids: readonly string[]) => unknown

/**
 * A reference of a record always has the same target. Otherwise, a merge or deletion could set the target first: the
 * write would then succeed without a change, and the undo would correctly revert it.
 */
const VALUES = {
  written_code: (n) => `Nr ${n}`,
  written_number: (n) => n,
  written_list: (n) => [`Nr ${n}`, 'last'],
  written_reference: (n, ids) => ids[n % ids.length],
} as const satisfies Record<string, Value>

type Slug = keyof typeof VALUES
const SLUGS = Object.keys(VALUES) as Slug[]

export const isWritten = (slug: string): boolean => slug in VALUES

const attributesFor = (objectId: string) => [
  { slug: 'written_code', type: 'text', isUnique: true },
  { slug: 'written_number', type: 'number' },
  { slug: 'written_list', type: 'text', isList: true },
  { slug: 'written_reference', type: 'reference', config: { allowed_object_id: objectId } },
]

/** Statuses if the record is deleted or merged, and if the referenced record is. */
const [REFUSED, UNKNOWN_REFERENCE] = [[404, 409], 400]

/** Slug → record id → the last value that a response confirmed. */
type Written = Readonly<Record<Slug, Map<string, unknown>>>

export interface Writers {
  /** Runs all writers during `work`. */
  during<Result>(work: () => Promise<Result>): Promise<Result>
  /** Checks the attributes that only the writers change, in every record. */
  expectWritten(): Promise<void>
  /** The state of the records without the attributes of the writers. */
  stateOfOthers(): ReturnType<typeof stateOf>
}

const withoutWritten = <Row extends object>(row: Row | null): Partial<Row> | null =>
  row && (Object.fromEntries(Object.entries(row).filter(([slug]) => !isWritten(slug))) as Partial<Row>)

async function stateOfOthers(service: Service, org: Org): ReturnType<typeof stateOf> {
  const { records, links, uniques, ...state } = await stateOf(service, org)
  const own = await service.ctx.db.many<{ attr: number }>(
    sql`select attr from attributes where org = ${org.org} and slug = any(${SLUGS})`,
  )
  const attrs = new Set(own.map(({ attr }) => attr))
  const ofOthers = <Row extends { attr: number }>(rows: readonly Row[]) =>
    rows.filter(({ attr }) => !attrs.has(attr))
  return {
    ...state,
    records: records.map((one) => ({
      ...one,
      data: withoutWritten(one.data) ?? {},
      comparable: withoutWritten(one.comparable),
    })),
    links: ofOthers(links),
    uniques: ofOthers(uniques),
  }
}

async function expectWritten(service: Service, org: Org, written: Written): Promise<void> {
  const { records } = await stateOf(service, org)
  for (const slug of SLUGS) {
    expect(written[slug].size).toBeGreaterThan(0)
    const values = records
      .map(({ id, data }) => [id, data[slug]] as const)
      .filter(([, value]) => value !== undefined)
    expect(new Map(values)).toEqual(written[slug])
  }
}

/** @param things the id of the object, and its records */
export async function addWriters(
  service: Service,
  org: Org,
  things: { id: string; targets: readonly string[] },
): Promise<Writers> {
  const { id: objectId, targets: ids } = things
  for (const attribute of attributesFor(objectId)) {
    const { status } = await org.post('/objects/things/attributes', { name: attribute.slug, ...attribute })
    expect(status).toBe(201)
  }
  const written = Object.fromEntries(SLUGS.map((slug) => [slug, new Map()])) as unknown as Written
  let turn = 0
  const write = async (slug: Slug) => {
    const n = ++turn
    const id = ids[(n * 7) % ids.length] ?? ''
    const data = { [slug]: VALUES[slug](n, ids) }
    const { status, body } = await org.patch<CrmRecord>(`/objects/things/records/${id}`, { data })
    if (status === 200) written[slug].set(id, body.data[slug])
    else expect(slug === 'written_reference' ? [...REFUSED, UNKNOWN_REFERENCE] : REFUSED).toContain(status)
  }
  // No concurrent work has started, so none of these writes is refused.
  for (const slug of SLUGS) await write(slug)
  const during = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    let isOver = false
    const writing = SLUGS.map(async (slug) => {
      while (!isOver) await write(slug)
    })
    const [result] = await Promise.all([work().finally(() => (isOver = true)), ...writing])
    return result
  }
  return {
    during,
    expectWritten: () => expectWritten(service, org, written),
    stateOfOthers: () => stateOfOthers(service, org),
  }
}
