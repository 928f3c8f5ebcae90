import pino from 'pino'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { OpenedCells } from '../cells/cells.ts'
import { readConfig } from '../config/config.ts'
import { createTestDatabase } from '../test/database.ts'
import { withQuickHashes } from '../test/quick-passwords.ts'
import { createAuth } from './auth.ts'
import { selectMembers } from './members/store.ts'
import { createOrganization, type OrganizationContext } from './service.ts'
import { findOrganization, hasTimeZone, listOrganizations, type StoredOrganization } from './store.ts'

const { pool, connection } = await createTestDatabase()
const auth = await withQuickHashes(
  createAuth({
    connection,
    secret: 'k3J9x-Tq7Wm2_Zc8Rb5Vn1Lp6Hd4Gf0SyA',
    baseUrl: 'http://127.0.0.1:3000',
    log: pino({ level: 'silent' }),
  }),
)
afterAll(() => auth.close())

const seeded: StoredOrganization[] = []
const ctx: OrganizationContext = {
  directory: pool,
  cells: new OpenedCells({ config: readConfig({}), log: pino({ level: 'silent' }) }),
  auth,
  seedStandardObjects: async (_, organization) => {
    seeded.push(organization)
  },
}
const failing: OrganizationContext = {
  ...ctx,
  seedStandardObjects: async () => {
    throw new Error('no objects today')
  },
}

const owner = (email: string) => ({ name: 'Ada', email, password: 'correct horse' })

async function counts() {
  return pool.one(sql`select (select count(*) from organizations) as organizations,
    (select count(*) from users) as users, (select count(*) from members) as members,
    (select count(*) from accounts) as accounts, (select count(*) from sessions) as sessions`)
}

test('an organization is made with its owner and standard objects, and without a session', async () => {
  const made = await createOrganization(ctx, {
    name: 'Acme GmbH',
    owner: owner('Ada@example.com'),
    country: 'DE',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
  })
  const organization = await findOrganization(pool, made.slug)
  expect(organization).toMatchObject({
    id: made.id,
    slug: 'acme-gmbh',
    name: 'Acme GmbH',
    country: 'DE',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
  })
  expect(seeded.at(-1)).toEqual(organization)
  expect(await findOrganization(pool, made.id)).toEqual(organization)
  expect(await listOrganizations(pool)).toEqual([organization])
  expect(await selectMembers(pool, made.id)).toEqual([
    {
      id: expect.any(String),
      role: 'owner',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      user: { id: made.ownerUserId, name: 'Ada', email: 'ada@example.com', image: null },
    },
  ])
  expect(await counts()).toMatchObject({ sessions: 0, users: 1, accounts: 1 })
  await auth.api.signInEmail({ body: owner('ada@example.com') })
  await pool.run(sql`delete from sessions`)
})

test('an existing user can own another organization, only with their own password', async () => {
  const before = await counts()
  await expect(
    createOrganization(ctx, {
      name: 'Two',
      owner: { ...owner('ada@example.com'), password: 'something else' },
    }),
  ).rejects.toMatchObject({
    code: 'validation_error',
    details: { errors: [{ path: 'owner.password', code: 'wrong_password' }] },
  })
  expect(await counts()).toEqual(before)

  const first = await findOrganization(pool, 'acme-gmbh')
  const second = await createOrganization(ctx, { name: 'Two', owner: owner('ADA@example.com') })
  const [mine] = await selectMembers(pool, first?.id ?? '')
  expect(second.ownerUserId).toBe(mine?.user.id)
})

test('a derived slug is made unique, a given slug is refused if it is taken', async () => {
  const create = (slug?: string) =>
    createOrganization(ctx, { name: 'Same', slug, owner: owner('same@example.com') })
  const slugs: string[] = []
  for (let index = 0; index < 10; index++) slugs.push((await create()).slug)
  expect(slugs.slice(0, 9)).toEqual(['same', ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `same-${number}`)])
  expect(slugs[9]).toMatch(/^same-[0-9a-f]{6}$/)
  await expect(create('same')).rejects.toMatchObject({ code: 'slug_conflict', status: 409 })
  expect((await create('mine')).slug).toBe('mine')
})

test('concurrent organizations with one name and one owner are all made', async () => {
  const made = await Promise.all(
    Array.from({ length: 5 }, () =>
      createOrganization(ctx, { name: 'Race', owner: owner('race@example.com') }),
    ),
  )
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(5)
  expect(new Set(made.map(({ ownerUserId }) => ownerUserId)).size).toBe(1)
})

test('a failed organization leaves no data', async () => {
  const before = await counts()
  const newOwner = createOrganization(failing, { name: 'Broken', owner: owner('new@example.com') })
  await expect(newOwner).rejects.toThrow('no objects today')
  const knownOwner = createOrganization(failing, { name: 'Broken', owner: owner('ada@example.com') })
  await expect(knownOwner).rejects.toThrow('no objects today')
  const takenSlug = createOrganization(ctx, { name: 'Broken', slug: 'same', owner: owner('new@example.com') })
  await expect(takenSlug).rejects.toMatchObject({ code: 'slug_conflict' })
  const badEmail = createOrganization(ctx, { name: 'Broken', owner: owner('ada@localhost') })
  await expect(badEmail).rejects.toMatchObject({ code: 'validation_error' })
  expect(await counts()).toEqual(before)
})

test('a new owner who got another organization in between is kept', async () => {
  const busy = owner('busy@example.com')
  const meanwhile: OrganizationContext = {
    ...failing,
    async seedStandardObjects(tx, organization) {
      await createOrganization(ctx, { name: 'Meanwhile', owner: busy })
      return failing.seedStandardObjects(tx, organization)
    },
  }
  await expect(createOrganization(meanwhile, { name: 'Broken', owner: busy })).rejects.toThrow(
    'no objects today',
  )
  const kept = await findOrganization(pool, 'meanwhile')
  expect(await selectMembers(pool, kept?.id ?? '')).toMatchObject([{ user: { email: 'busy@example.com' } }])
})

test('an unknown organization is not found', async () => {
  expect(await findOrganization(pool, 'unknown')).toBeUndefined()
  expect(await findOrganization(pool, '0198c0de-0000-7000-8000-0000000000ff')).toBeUndefined()
})

test('every time zone that a browser offers is accepted, also under its older name', async () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC']
  const unknown = await pool.many(sql`
    select zone from unnest(${zones}::text[]) as zone
    where lower(zone) not in (select lower(name) from pg_timezone_names)`)
  expect(unknown).toEqual([])
  for (const zone of ['Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'Europe/Kyiv'])
    expect(await hasTimeZone(pool, zone)).toBe(true)
})
