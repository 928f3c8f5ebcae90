import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { checked, get, imported, mapping, post, uploaded } from './imports.fixture.ts'
import { removeOldFiles } from './jobs.ts'

const service = await sharedTestService()

const totalOf = async (member: SignedInMember) =>
  (await member.get<{ pagination: { total: number } }>('/objects/people/records')).body.pagination.total

const newMember = async () => (await service.org()).member('member')

const PEOPLE = mapping('name.firstName', 'name.lastName', 'email')
const people = (...rows: string[]) => ['First,Last,Email', ...rows].join('\n')

test('an import runs once, and only after its check', async () => {
  const member = await newMember()
  const file = await uploaded(member, people('Ada,L,a@example.com'))
  const run = () => member.post(`/imports/${file.id}/run`)
  expectError(await run(), 'wrong_state')
  expectError(await member.post(`/imports/${file.id}/cancel`), 'wrong_state')
  await post(member, file, 'check', { mapping: PEOPLE })
  expectError(await member.delete(`/imports/${file.id}`), 'wrong_state')
  expectError(await member.post(`/imports/${file.id}/check`, { mapping: PEOPLE }), 'wrong_state')
  await service.drain()
  const replies = await Promise.all([run(), run()])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await service.drain()
  expectError(await run(), 'wrong_state')
  expect((await get(member, file)).progress.created).toBe(1)
  expect(await member.delete(`/imports/${file.id}`)).toMatchObject({
    status: 200,
    body: { id: file.id, deleted: true },
  })
  expectError(await member.get(`/imports/${file.id}`), 'not_found')
  expect(await totalOf(member)).toBe(1)
})

test('a cancelled run writes no more', async () => {
  const member = await newMember()
  const file = await checked(service, member, { text: people('Ada,L,a@example.com'), mapping: PEOPLE })
  await post(member, file, 'run')
  expect(await post(member, file, 'cancel')).toMatchObject({ state: 'cancelled' })
  await service.drain()
  expect(await get(member, file)).toMatchObject({ state: 'cancelled', progress: { rows: 0 } })
  expect(await totalOf(member)).toBe(0)
})

test('an import that fails because its object has changed reports the reason', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  const { id } = (
    await owner.post<{ id: string }>('/objects/people/attributes', { name: 'Size', type: 'number' })
  ).body
  const file = await checked(service, owner, {
    text: 'Name,Size\nAda,3\n',
    mapping: mapping('name', 'size'),
  })
  await owner.delete(`/objects/people/attributes/${id}`)
  await post(owner, file, 'run')
  await service.drain()
  expect(await get(owner, file)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('people has no attribute "size"'),
  })
})

test('a failed check reports the reason, and can be repeated with another mapping', async () => {
  const owner = await (await service.org()).member('owner')
  const size = { name: 'Size', type: 'number' }
  const { id } = (await owner.post<{ id: string }>('/objects/people/attributes', size)).body
  const file = await uploaded(owner, 'Name,Size\nAda,3\n')
  await post(owner, file, 'check', { mapping: mapping('name', 'size') })
  await owner.delete(`/objects/people/attributes/${id}`)
  await service.drain()
  expect(await get(owner, file)).toMatchObject({
    state: 'uploaded',
    error: expect.stringContaining('people has no attribute "size"'),
  })
  await post(owner, file, 'check', { mapping: mapping('name') })
  await service.drain()
  expect(await get(owner, file)).toMatchObject({ state: 'checked', error: null })
})

test('a run fails if the user who started it is no longer a member', async () => {
  const org = await service.org()
  const [member, owner] = await org.members('member', 'owner')
  const file = await checked(service, member, { text: people('Ada,L,a@example.com'), mapping: PEOPLE })
  await post(member, file, 'run')
  await service.ctx.directory.run(sql`delete from members where user_id = ${member.userId}`)
  await service.ctx.cells.copy()
  await service.drain()
  expect(await get(owner, file)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('no longer a member'),
  })
})

test('a run has the user who started it as author, not the one who uploaded the file', async () => {
  const org = await service.org()
  const [member, owner] = await org.members('member', 'owner')
  const file = await checked(service, member, { text: people('Ada,L,a@example.com'), mapping: PEOPLE })
  await service.ctx.directory.run(sql`delete from members where user_id = ${member.userId}`)
  await service.ctx.cells.copy()
  await post(owner, file, 'run')
  await service.drain()
  expect(await get(owner, file)).toMatchObject({ state: 'completed', createdBy: { id: member.userId } })
  const actors = await service.ctx.db.many(
    sql`select actor from events where org = ${org.org} and obj is not null`,
  )
  expect(actors).toEqual([{ actor: owner.userId }])
})

test('removes files after a week, and interrupted uploads after a day', async () => {
  const organization = await service.org()
  const member = await organization.member('member')
  const file = await imported(service, member, { text: people('Ada,L,nowhere'), mapping: PEOPLE })
  const { ctx } = service
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  const signal = new AbortController().signal
  await removeOldFiles(ctx, signal, inDays(6))
  expect(await get(member, file)).toMatchObject({ hasFile: true, preview: [['Ada', 'L', 'nowhere']] })
  await ctx.db.run(
    sql`update imports set state = 'uploading' where id = ${(await uploaded(member, people('A,B,'))).id}`,
  )
  await removeOldFiles(ctx, signal, inDays(8))
  const { columns, ...rest } = await get(member, file)
  expect(rest).toMatchObject({ hasFile: false, preview: [], check: { errors: 1, problems: [] } })
  expect(columns[0]).toEqual({ index: 0, header: 'First', samples: [] })
  const left = await ctx.db.many(sql`
      select id from imports where org = ${organization.org} and state = 'uploading'
      union all select c.import from import_chunks c join imports i on i.id = c.import where i.org = ${organization.org}
      union all select f.import from import_failures f join imports i on i.id = f.import where i.org = ${organization.org}`)
  expect(left).toEqual([])
  expectError(await member.post(`/imports/${file.id}/check`, { mapping: PEOPLE }), 'wrong_state')
})

test('an import is visible to its organization only', async () => {
  const member = await newMember()
  const stranger = await newMember()
  const file = await uploaded(member, people('Ada,L,a@example.com'))
  expectError(await stranger.get(`/imports/${file.id}`), 'not_found')
  for (const action of ['check', 'run', 'cancel'])
    expectError(
      await stranger.post(
        `/imports/${file.id}/${action}`,
        action === 'check' ? { mapping: PEOPLE } : undefined,
      ),
      'not_found',
    )
  expectError(await stranger.get(`/imports/${file.id}/failed.csv`), 'not_found')
  expectError(await stranger.delete(`/imports/${file.id}`), 'not_found')
  expectError(await member.get('/imports/nonsense'), 'not_found')
  expect((await stranger.get<{ imports: object[] }>('/objects/people/imports')).body.imports).toEqual([])
})
