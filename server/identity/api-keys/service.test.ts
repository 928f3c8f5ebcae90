import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { hashKey } from './key.ts'
import { buildMember, buildOrganization } from './organization.fixture.ts'
import { createKey, deleteKey, listKeys } from './service.ts'

const { pool } = await createTestDatabase()
const ctx = {
  directory: pool,
  clock: { now: () => new Date('2026-11-20T10:00:00Z') },
  config: { keyBounds: { rate: 600, organizationRate: 1000, count: 3 } },
}
const AT_ONCE = { leaseMs: 0, forget: () => undefined }

test('a key is shown whole once; only its prefix and hash are stored', async () => {
  const { org, ownerId } = await buildOrganization(pool)
  const created = await createKey(ctx, org, {
    name: 'Forms',
    scopes: ['records:write', 'records:read', 'records:write'],
    expiresAt: '2027-01-31T00:00:00Z',
    rateLimit: 7,
    createdBy: ownerId,
  })
  const { key, ...shown } = created
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'Forms',
    prefix: key.slice(0, 9),
    scopes: ['records:write', 'records:read'],
    expiresAt: '2027-01-31T00:00:00.000Z',
    rateLimit: 7,
    lastUsedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    createdBy: { id: ownerId, name: 'Ada', email: `${ownerId}@example.com` },
  })
  expect(await listKeys(ctx, org)).toEqual([shown])
  const { row } = await pool.one<{ row: string }>(
    sql`select to_jsonb(k)::text as row from api_keys k where id = ${created.id}`,
  )
  expect(row).not.toContain(key.slice(9))
  expect(row).toContain(hashKey(key).toString('hex'))
})

test('keys are listed newest first, and each organization sees only its own', async () => {
  const mine = await buildOrganization(pool)
  const other = await buildOrganization(pool)
  const make = (name: string) => createKey(ctx, mine.org, { name, scopes: null, createdBy: mine.ownerId })
  await make('one')
  await make('two')
  const listed = await listKeys(ctx, mine.org)
  expect(listed.map(({ name, scopes }) => [name, scopes])).toEqual([
    ['two', null],
    ['one', null],
  ])
  expect(await listKeys(ctx, other.org)).toEqual([])
})

test('owners and admins can make keys, others cannot', async () => {
  const { org, orgId } = await buildOrganization(pool)
  const stranger = await buildOrganization(pool)
  const admin = await buildMember(pool, orgId, 'admin')
  const member = await buildMember(pool, orgId, 'member')
  const make = (createdBy: string) => createKey(ctx, org, { name: 'k', scopes: null, createdBy })
  expect((await make(admin)).createdBy.id).toBe(admin)
  await expect(make(member)).rejects.toMatchObject({ code: 'validation_error' })
  await expect(make(stranger.ownerId)).rejects.toMatchObject({ code: 'validation_error' })
  expect(await listKeys(ctx, org)).toHaveLength(1)
})

test('deleting a key requires its exact name and the right organization', async () => {
  const { org, ownerId } = await buildOrganization(pool)
  const other = await buildOrganization(pool)
  const { id } = await createKey(ctx, org, { name: 'Forms', scopes: null, createdBy: ownerId })
  const remove = (from: number, confirmName: string, keyId = id) =>
    deleteKey(ctx, from, { id: keyId, confirmName }, AT_ONCE)

  for (const name of ['forms', 'Forms ', ''])
    await expect(remove(org, name)).rejects.toMatchObject({ code: 'validation_error' })
  await expect(remove(other.org, 'Forms')).rejects.toMatchObject({ code: 'not_found' })
  await expect(remove(org, 'Forms', 'no-id')).rejects.toMatchObject({ code: 'not_found' })
  expect(await listKeys(ctx, org)).toHaveLength(1)

  await remove(org, 'Forms')
  expect(await listKeys(ctx, org)).toEqual([])
  await expect(remove(org, 'Forms')).rejects.toMatchObject({ code: 'not_found' })
})

test('an organization cannot exceed its number of keys, not even by concurrent requests', async () => {
  const { org, ownerId } = await buildOrganization(pool)
  const make = () => createKey(ctx, org, { name: 'k', scopes: null, createdBy: ownerId })
  const made = await Promise.allSettled(Array.from({ length: 5 }, make))
  const refused = made.flatMap((one) => (one.status === 'rejected' ? one.reason : []))
  expect(refused.map(({ code, message }) => [code, message])).toEqual(
    Array(2).fill([
      'limit_reached',
      expect.stringMatching(/^An organization has at most 3 API keys: .* KEYS_PER_ORGANIZATION$/),
    ]),
  )
  const [key] = await listKeys(ctx, org)
  await deleteKey(ctx, org, { id: key?.id ?? '', confirmName: 'k' }, AT_ONCE)
  expect(await make()).toMatchObject({ name: 'k' })
})

test('rejects a rate limit above the operator’s maximum', async () => {
  const { org, ownerId } = await buildOrganization(pool)
  const make = (rateLimit: number) =>
    createKey(ctx, org, { name: 'k', scopes: null, createdBy: ownerId, rateLimit })
  expect(await make(600)).toMatchObject({ rateLimit: 600 })
  await expect(make(601)).rejects.toThrow(
    'rateLimit: must be a whole number from 1 to 600, the operator’s maximum (KEY_RATE_LIMIT_MAX)',
  )
})
