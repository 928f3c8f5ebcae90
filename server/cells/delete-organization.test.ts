import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildFileService } from '../files/files.fixture.ts'
import { sweepFiles } from '../files/jobs.ts'
import { findOrganization } from '../identity/store.ts'
import type { Org } from '../test/factories.ts'
import { dataOf, organizationTables } from '../test/organization-data.ts'
import { contentsOf, deleteOrganization } from './delete-organization.ts'

const service = await buildFileService()
const { ctx } = service
const { db, directory } = ctx
const place = { db, directory }
const never = new AbortController().signal
const options = { leasesEnded: async () => undefined, signal: never }

/** An organization, as operators find it. */
async function found({ id }: Org) {
  const organization = await findOrganization(directory, id)
  if (!organization) throw new Error('the organization is missing')
  return organization
}

/** An organization with records, an activity, a comment, a workflow, an endpoint, a file, an invitation and mail. */
async function filled() {
  const org = await service.org()
  const owner = await org.member('owner')
  const { body } = await org.post<{ id: string }>('/objects/people/records', {
    data: { name: 'Ada Lovelace' },
  })
  const linkedRecords = [{ objectId: 'people', recordId: body.id }]
  const made = [
    await org.post('/activities', { type: 'note', title: 'Hello', linkedRecords }),
    await org.post(`/objects/people/records/${body.id}/comments`, { text: 'Hello' }),
    await org.post('/webhooks/endpoints', {
      url: 'https://example.com/hooks',
      eventTypes: ['record.created'],
    }),
    await owner.post('/invitations', { email: `ada-${org.id}@example.com`, role: 'member' }),
  ]
  await service.stored(org)
  await service.drain()
  return { org, owner, recordId: body.id, made: made.map(({ status }) => status) }
}

/** The status of a request with the organization's key. A process may accept a deleted key for a second. */
const statusOf = async (org: Org) => (await org.get('/objects')).status

async function rowsOf(org: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await organizationTables(db)) {
    const count = await db.value<number>(sql`select count(*)::int from ${raw(table)} where org = ${org}`)
    if (count > 0) counts[table] = count
  }
  return counts
}

test('removes every row of the organization and none of another; a job removes its files later', async () => {
  const [{ org, owner, made }, other] = [await filled(), await filled()]
  for (const status of made) expect(status).toBeLessThan(300)
  const untouched = await dataOf(db, other.org.org)
  const organization = await found(org)
  expect(await contentsOf(place, organization)).toEqual({ members: 2, records: 1, files: 1 })
  expect(await deleteOrganization(place, organization, options)).toBeGreaterThan(20)
  await expect.poll(() => statusOf(org)).toBe(401)
  expect((await owner.get('/members')).status).toBe(404)
  expect(await findOrganization(directory, org.id)).toBeUndefined()
  expect(Object.keys(await rowsOf(org.org)).sort()).toEqual(['file_usage', 'files'])
  await sweepFiles(ctx, never, new Date())
  expect(await rowsOf(org.org)).toEqual({})
  expect(await dataOf(db, other.org.org)).toEqual(untouched)
  expect((await other.org.get(`/objects/people/records/${other.recordId}`)).status).toBe(200)
})

test('continues after an interruption', async () => {
  const { org } = await filled()
  const organization = await found(org)
  await expect(
    deleteOrganization(place, organization, { ...options, signal: AbortSignal.abort() }),
  ).rejects.toThrow()
  await expect.poll(() => statusOf(org)).toBe(401)
  expect(await found(org)).toEqual(organization)
  await deleteOrganization(place, organization, options)
  expect(await findOrganization(directory, org.id)).toBeUndefined()
})

test('is refused while the organization is being moved, and changes nothing', async () => {
  const { org } = await filled()
  await directory.run(sql`update organizations set moving_to = 1 where id = ${org.id}`)
  const before = await rowsOf(org.org)
  await expect(deleteOrganization(place, await found(org), options)).rejects.toMatchObject({
    code: 'wrong_state',
  })
  expect(await rowsOf(org.org)).toEqual(before)
})

test('is refused at its end if a move has begun in between, and continues when it is repeated', async () => {
  const { org } = await filled()
  const organization = await found(org)
  const moving = (to: number | null) =>
    directory.run(sql`update organizations set moving_to = ${to}::int where id = ${org.id}`)
  const leasesEnded = () => moving(1)
  await expect(deleteOrganization(place, organization, { ...options, leasesEnded })).rejects.toMatchObject({
    code: 'wrong_state',
  })
  expect(await findOrganization(directory, org.id)).toBeDefined()
  await moving(null)
  await deleteOrganization(place, organization, options)
  expect(await findOrganization(directory, org.id)).toBeUndefined()
})
