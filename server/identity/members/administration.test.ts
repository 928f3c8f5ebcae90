import { expect, test } from 'vitest'
import type { Member } from '../../../contract/members.ts'
import type { Session } from '../../../contract/session.ts'
import type { SignedInMember } from '../../test/dashboard-client.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

async function idOf(org: Org, userId: string): Promise<string> {
  const { body } = await org.get<{ members: Member[] }>('/members')
  return body.members.find(({ user }) => user.id === userId)?.id ?? ''
}

/** An organization with signed-in members, in addition to the owner it was made with. */
async function team() {
  const org = await service.org()
  const [owner, admin, member] = await org.members('owner', 'admin', 'member')
  const id = (one: SignedInMember) => idOf(org, one.userId)
  return { org, owner, admin, member, id }
}

test('an admin can change the role of a member', async () => {
  const { admin, member, id } = await team()
  const memberId = await id(member)
  const { status, body } = await admin.patch<Member>(`/members/${memberId}`, { role: 'admin' })
  expect(status).toBe(200)
  expect(body).toEqual({
    id: memberId,
    role: 'admin',
    createdAt: expect.stringMatching(/Z$/),
    user: { id: member.userId, name: 'Mia Member', email: member.email, image: null },
  })
  expect((await member.patch('/organization', { name: 'Mine now' })).status).toBe(200)
})

test('a removed member loses access immediately', async () => {
  const { admin, member, id } = await team()
  const memberId = await id(member)
  expect(await admin.delete(`/members/${memberId}`)).toMatchObject({
    status: 200,
    body: { id: memberId, deleted: true },
  })
  expectError(await member.get('/objects'), 'not_found')
  expect((await member.session.get<Session>('/session')).body.organizations).toEqual([])
  expectError(await admin.delete(`/members/${memberId}`), 'not_found')
})

test('every member can leave; only owners and admins can change others', async () => {
  const { owner, admin, member, id } = await team()
  for (const other of [owner, admin]) {
    expectError(await member.delete(`/members/${await id(other)}`), 'insufficient_role')
    expectError(await member.patch(`/members/${await id(other)}`, { role: 'member' }), 'insufficient_role')
  }
  expectError(await member.patch(`/members/${await id(member)}`, { role: 'owner' }), 'insufficient_role')
  expect((await member.delete(`/members/${await id(member)}`)).status).toBe(200)
  expect((await admin.delete(`/members/${await id(admin)}`)).status).toBe(200)
  expect((await owner.delete(`/members/${await id(owner)}`)).status).toBe(200)
})

test('admins can neither change owners nor make owners', async () => {
  const { owner, admin, member, id } = await team()
  const refused = await admin.patch(`/members/${await id(owner)}`, { role: 'member' })
  expectError(refused, 'insufficient_role')
  expect(refused.body).toMatchObject({ details: { requiredRole: 'owner' } })
  expectError(await admin.delete(`/members/${await id(owner)}`), 'insufficient_role')
  for (const one of [member, admin])
    expectError(await admin.patch(`/members/${await id(one)}`, { role: 'owner' }), 'insufficient_role')
  expect((await owner.patch(`/members/${await id(admin)}`, { role: 'owner' })).status).toBe(200)
  expect((await admin.patch(`/members/${await id(owner)}`, { role: 'member' })).status).toBe(200)
})

test('the last owner cannot leave or be demoted', async () => {
  const { org, owner, id } = await team()
  const [first, own] = [await idOf(org, org.userId), await id(owner)]
  expect((await owner.delete(`/members/${first}`)).status).toBe(200)
  expectError(await owner.delete(`/members/${own}`), 'last_owner')
  expectError(await owner.patch(`/members/${own}`, { role: 'admin' }), 'last_owner')
  expect((await owner.patch(`/members/${own}`, { role: 'owner' })).status).toBe(200)
})

test('concurrent demotions and removals of owners leave one owner', async () => {
  for (let round = 0; round < 5; round++) {
    const { org, owner, id } = await team()
    const second = await org.member('owner')
    await owner.delete(`/members/${await idOf(org, org.userId)}`)
    const [a, b] = [await id(owner), await id(second)]
    const replies = await Promise.all([
      owner.patch(`/members/${b}`, { role: 'member' }),
      second.patch(`/members/${a}`, { role: 'member' }),
      owner.delete(`/members/${a}`),
      second.delete(`/members/${b}`),
    ])
    const { body } = await org.get<{ members: Member[] }>('/members')
    expect(body.members.filter(({ role }) => role === 'owner')).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { status } of replies) expect([200, 403, 404, 409]).toContain(status)
  }
})

test('memberships of other organizations and unknown ids are not found', async () => {
  const { owner } = await team()
  const { member, id } = await team()
  for (const foreign of [await id(member), 'none', member.userId]) {
    expectError(await owner.patch(`/members/${foreign}`, { role: 'admin' }), 'not_found')
    expectError(await owner.delete(`/members/${foreign}`), 'not_found')
  }
  expect((await member.get('/organization')).status).toBe(200)
})

test('PATCH {} changes nothing', async () => {
  const { owner, member, id } = await team()
  const memberId = await id(member)
  const reply = await owner.patch(`/members/${memberId}`, {})
  expect(reply).toMatchObject({ status: 200, body: { id: memberId, role: 'member' } })
})

test.each([{ role: 'king' }, { role: null }, { role: 'admin', name: 'A' }])(
  'rejects %j as a change',
  async (body) => {
    const { owner, member, id } = await team()
    expectError(await owner.patch(`/members/${await id(member)}`, body), 'validation_error')
  },
)

test('API keys of a removed member continue to work, and show who made them', async () => {
  const { owner, admin, id } = await team()
  const { body } = await admin.post<{ key: string }>('/api-keys', { name: 'Forms', scopes: null })
  await owner.delete(`/members/${await id(admin)}`)
  const headers = { authorization: `Bearer ${body.key}` }
  const { statusCode } = await service.inject({ url: '/api/v1/objects', headers })
  expect(statusCode).toBe(200)
  const { apiKeys } = (await owner.get<{ apiKeys: { name: string; createdBy: object }[] }>('/api-keys')).body
  expect(apiKeys).toContainEqual(
    expect.objectContaining({ name: 'Forms', createdBy: expect.objectContaining({ id: admin.userId }) }),
  )
})
