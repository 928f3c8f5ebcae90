// Domains that were stored as text keep the entered text, and domains with the same host are listed as duplicates.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { DuplicateGroupList } from '../../../contract/duplicates.ts'
import type { CrmRecord } from '../../../contract/records.ts'
import { searchAgain } from '../../duplicates/search/service.ts'
import { createRecord, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { rewriteValues } from './rewrite-values.ts'

const service = await sharedTestService()
const { ctx } = service
const COMPANIES = '/objects/companies/records'

const listConflicts: Parameters<typeof rewriteValues>[2] = (tx, object) =>
  searchAgain({ ...ctx, db: tx }, object)

const rewrite = () => rewriteValues(ctx, new AbortController().signal, listConflicts)

/** An organization whose domains are texts, so that any text is accepted. */
async function olderOrganization(): Promise<Org> {
  const org = await service.org()
  await ctx.db.run(sql`update attributes set type = 'text' where org = ${org.org} and type = 'domain'`)
  await ctx.db.run(sql`update objects set version = nextval('object_versions') where org = ${org.org}`)
  return org
}

/** Turns the texts into domains that are compared as hosts, before the job has rewritten the stored values. */
async function compareAsHosts({ org }: Org): Promise<void> {
  await ctx.db.run(sql`
    with domains as (
      update attributes set type = 'domain'
      where org = ${org} and slug = 'domain' and is_standard returning org, obj),
    rewrites as (
      insert into value_rewrites (org, obj) select org, obj from domains),
    trashed as (
      update trash t set has_old_values = true from domains d where t.org = d.org and t.obj = d.obj)
    update objects o set version = nextval('object_versions')
    from domains d where o.org = d.org and o.obj = d.obj`)
}

const add = async (org: Org, name: string, domain: string): Promise<string> =>
  (await createRecord(org, 'companies', { name, domain })).id

const read = async (org: Org, id: string) => (await org.get<CrmRecord>(`${COMPANIES}/${id}`)).body

async function found(org: Org, operator: string, value: unknown): Promise<string[]> {
  const filter = { attributeSlug: 'domain', operator, value }
  const { body } = await org.post<{ records: CrmRecord[] }>(`${COMPANIES}/search`, { filter })
  return body.records.map(({ id }) => id)
}

const claims = (org: Org) =>
  ctx.db.many(sql`select value, id from uniques where org = ${org.org} and value like '%.%' order by value`)

const upsert = (org: Org, data: object) =>
  org.post(`${COMPANIES}/bulk`, { mode: 'upsert', matchOn: 'domain', records: [{ data }] })

test.each(['few', 'many'] as const)(
  'values of %s companies stay unchanged and are found as hosts',
  async (size) => {
    const org = await olderOrganization()
    const { body: object } = await org.get<{ id: string }>('/objects/companies')
    if (size === 'many') await indexEmptyObject(ctx.db, object.id, { texts: 'presence', keepsMissing: true })
    const acme = await add(org, 'Acme', 'https://www.Acme.com/about')
    const books = await add(org, 'Books', 'xn--bcher-kva.example ')
    const plain = await add(org, 'Plain', 'plain.example')
    const before = await Promise.all([acme, books, plain].map((id) => read(org, id)))
    const events = await org.events()
    await compareAsHosts(org)
    expect(await found(org, 'equals', 'plain.example')).toEqual([plain])
    await rewrite()
    expect(await Promise.all([acme, books, plain].map((id) => read(org, id)))).toEqual(before)
    expect(await org.events()).toEqual(events)
    expect(await found(org, 'equals', 'http://acme.com')).toEqual([acme])
    expect(await found(org, 'equals', 'bücher.example')).toEqual([books])
    expect(await found(org, 'startsWith', 'https://plain')).toEqual([plain])
    for (const domain of ['ACME.com', 'bücher.example', 'www.plain.example', 'https://www.Acme.com/about'])
      expectError(await org.post(COMPANIES, { data: { name: 'New', domain } }), 'unique_violation')
    expect((await upsert(org, { domain: 'https://www.Acme.com/about', employees: 5 })).body).toMatchObject({
      updated: 1,
      results: [{ id: acme }],
    })
    if (size === 'many') {
      const key = {
        org: org.org,
        obj: await ctx.db.value<number>(sql`select obj from objects where id = ${object.id}`),
      }
      expect(await audit(ctx.db, key)).toEqual([])
    }
  },
)

test.each(['few', 'many'] as const)(
  'domains without a host name of %s companies keep their text',
  async (size) => {
    const org = await olderOrganization()
    if (size === 'many') {
      const { body } = await org.get<{ id: string }>('/objects/companies')
      await indexEmptyObject(ctx.db, body.id, { texts: 'values', keepsMissing: true })
    }
    const id = await add(org, 'Acme', 'N/A')
    const empty = await add(org, 'Empty', '')
    await compareAsHosts(org)
    await rewrite()
    expect((await read(org, id)).data).toEqual({ name: 'Acme', domain: 'N/A' })
    expect((await read(org, empty)).data).toEqual({ name: 'Empty', domain: '' })
    for (const value of ['N/A', 'n/a']) expect(await found(org, 'equals', value)).toEqual([id])
    expect(await found(org, 'isEmpty', true)).toEqual([])
    const path = `${COMPANIES}/${id}`
    expect(await org.patch(path, { data: { employees: 5 } })).toMatchObject({ status: 200 })
    expect(await org.patch(path, { data: { name: 'Acme', domain: ' N/A' } })).toMatchObject({ status: 200 })
    expect((await upsert(org, { domain: 'N/A', employees: 6 })).body).toMatchObject({
      updated: 1,
      results: [{ id }],
    })
    expectError(await org.post(COMPANIES, { data: { name: 'B', domain: 'N/A' } }), 'unique_violation')
    expectError(await org.post(COMPANIES, { data: { name: 'B', domain: 'none' } }), 'validation_error')
    expect(await org.patch(path, { data: { domain: 'acme.com' } })).toMatchObject({ status: 200 })
    expectError(await org.patch(path, { data: { domain: 'N/A' } }), 'validation_error')
  },
)

test('companies whose domains become equal keep them and are listed as duplicates', async () => {
  const org = await olderOrganization()
  const first = await add(org, 'First', 'https://dup.example/')
  const second = await add(org, 'Second', 'dup.example')
  const third = await add(org, 'Third', 'www.dup.example')
  await compareAsHosts(org)
  await rewrite()
  await service.drain()
  const { body } = await org.get<DuplicateGroupList>('/objects/companies/duplicates')
  expect(body.groups.map(({ records }) => records.map(({ id }) => id))).toEqual([[first, second, third]])
  expect(body.groups[0]?.reasons).toEqual(['same_domain.domain'])
  expect((await found(org, 'equals', 'dup.example')).sort()).toEqual([first, second, third].sort())
  const renamed = await org.patch<CrmRecord>(`${COMPANIES}/${first}`, { data: { name: 'Renamed' } })
  expect(renamed.body.data).toEqual({ name: 'Renamed', domain: 'https://dup.example/' })
  const refused = await org.patch(`${COMPANIES}/${first}`, { data: { domain: 'https://dup.example/' } })
  expectError(refused, 'unique_violation')
  expect(refused.body).toMatchObject({ details: { existingRecordId: second } })
  expect(await org.patch(`${COMPANIES}/${second}`, { data: { domain: 'DUP.example' } })).toMatchObject({
    status: 200,
  })
  const merged = await org.post(`${COMPANIES}/merge`, { winnerId: first, loserIds: [second, third] })
  expect(merged).toMatchObject({ status: 200 })
  expect((await read(org, first)).data).toMatchObject({ domain: 'https://dup.example/' })
  const taken = await org.post(COMPANIES, { data: { name: 'New', domain: 'dup.example' } })
  expect(taken.body).toMatchObject({ details: { existingRecordId: first } })
})

test('companies are found by their old texts before the job has rewritten them', async () => {
  const org = await olderOrganization()
  const id = await add(org, 'Acme', 'https://Acme.com')
  const second = await add(org, 'Second', 'HTTPS://dup.example')
  const first = await add(org, 'First', 'dup.example')
  await compareAsHosts(org)
  expectError(
    await org.post(COMPANIES, { data: { name: 'B', domain: 'https://Acme.com' } }),
    'unique_violation',
  )
  for (const domain of ['https://Acme.com', 'acme.com', 'https://Acme.com'])
    expect((await upsert(org, { domain, employees: 5 })).body).toMatchObject({ results: [{ id }] })
  for (const domain of ['HTTPS://dup.example', 'dup.example'])
    expect((await upsert(org, { domain, employees: 5 })).body).toMatchObject({ results: [{ id: first }] })
  await rewrite()
  expect(await found(org, 'equals', 'acme.com')).toEqual([id])
  expect((await found(org, 'equals', 'dup.example')).sort()).toEqual([first, second].sort())
  expect(await claims(org)).toEqual([
    { value: 'acme.com', id },
    { value: 'dup.example', id: first },
  ])
})

interface Merged {
  mergeId: string
}

interface Undone {
  losses: unknown[]
}

/** Merges two companies with the same host, of which the second holds the unique value, into the first. */
async function mergeSame(org: Org) {
  const winner = await add(org, 'Winner', 'https://dup.example/')
  const loser = await add(org, 'Loser', 'dup.example')
  await compareAsHosts(org)
  await rewrite()
  const { body } = await org.post<Merged>(`${COMPANIES}/merge`, { winnerId: winner, loserIds: [loser] })
  return { winner, loser, undo: `/objects/companies/merges/${body.mergeId}/undo` }
}

test('undoing a merge returns the domain to a company with the same host as the winner', async () => {
  const org = await olderOrganization()
  const { winner, loser, undo } = await mergeSame(org)
  expect(await claims(org)).toEqual([{ value: 'dup.example', id: winner }])
  expect((await org.post<Undone>(undo)).body.losses).toEqual([])
  expect((await read(org, winner)).data).toMatchObject({ domain: 'https://dup.example/' })
  expect((await read(org, loser)).data).toMatchObject({ domain: 'dup.example' })
  expect(await claims(org)).toEqual([{ value: 'dup.example', id: loser }])
})

test('a domain that was entered after the merge stays with the winner', async () => {
  const org = await olderOrganization()
  const { winner, loser, undo } = await mergeSame(org)
  const changed = await org.patch(`${COMPANIES}/${winner}`, { data: { domain: 'www.dup.example' } })
  expect(changed.status).toBe(200)
  expect((await org.post<Undone>(undo)).body.losses).toMatchObject([
    { code: 'unique_violation', recordId: loser, attributeSlug: 'domain', otherRecordId: winner },
  ])
  expect(await claims(org)).toEqual([{ value: 'dup.example', id: winner }])
})

async function addDeleted(org: Org, domain: string): Promise<string> {
  const id = await add(org, 'Deleted', domain)
  await org.delete(`${COMPANIES}/${id}`)
  return id
}

test('companies that return from the trash are compared by their hosts', async () => {
  const org = await olderOrganization()
  const id = await addDeleted(org, 'https://acme.example')
  await compareAsHosts(org)
  await rewrite()
  expect((await org.post(`/objects/companies/trash/${id}/restore`)).status).toBe(200)
  await rewrite()
  expect((await read(org, id)).data).toEqual({ name: 'Deleted', domain: 'https://acme.example' })
  expect(await found(org, 'equals', 'acme.example')).toEqual([id])
  expectError(await org.post(COMPANIES, { data: { name: 'B', domain: 'acme.example' } }), 'unique_violation')
})
