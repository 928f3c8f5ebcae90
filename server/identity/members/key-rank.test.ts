// Members and invitations through a key: the key acts for its creator, with fewer rights.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { SentInvitation } from '../../../contract/invitations.ts'
import type { Member } from '../../../contract/members.ts'
import type { Role } from '../../../contract/roles.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const { ctx } = service

const byKey = (key: string) => ({ authorization: `Bearer ${key}` })
const newAddress = () => `${crypto.randomUUID()}@example.com`

const roleOf = async (org: Org, memberId: string) => {
  const { body } = await org.get<{ members: Member[] }>('/members')
  return body.members.find(({ id }) => id === memberId)?.role
}

const setCreatorRole = ({ id, userId }: Org, role: Role) =>
  ctx.directory.run(
    sql`update members set role = ${role} where organization_id = ${id} and user_id = ${userId}`,
  )

test('a key with full access can make, remove and invite admins', async () => {
  const org = await service.org()
  const { memberId } = await org.member('member')
  const { status, body } = await org.patch(`/members/${memberId}`, { role: 'admin' })
  expect([status, body['role']]).toEqual([200, 'admin'])
  expect((await org.delete(`/members/${memberId}`)).status).toBe(200)
  expect((await org.post('/invitations', { email: newAddress(), role: 'admin' })).status).toBe(201)
})

test('no key can make, change or remove an owner, or send, resend or cancel an invitation of one', async () => {
  const org = await service.org()
  const [owner, admin] = await org.members('owner', 'admin')
  const { body: invitation } = await owner.post<SentInvitation>('/invitations', {
    email: newAddress(),
    role: 'owner',
  })
  for (const refused of [
    await org.patch(`/members/${admin.memberId}`, { role: 'owner' }),
    await org.patch(`/members/${owner.memberId}`, { role: 'member' }),
    await org.patch(`/members/${owner.memberId}`, { revokeKeys: true }),
    await org.delete(`/members/${owner.memberId}`),
    await org.post('/invitations', { email: newAddress(), role: 'owner' }),
    await org.post(`/invitations/${invitation.id}/resend`),
    await org.delete(`/invitations/${invitation.id}`),
  ])
    expectError(refused, 'insufficient_role')
  expect(await roleOf(org, admin.memberId)).toBe('admin')
  expect(await roleOf(org, owner.memberId)).toBe('owner')
})

test('a key with scopes cannot make, change or remove admins', async () => {
  const org = await service.org()
  const [admin, member] = await org.members('admin', 'member')
  const key = byKey(await org.keyWith(['members:manage', 'members:read']))
  const { body: invitation } = await org.post<SentInvitation>('/invitations', {
    email: newAddress(),
    role: 'admin',
  })
  for (const refused of [
    await org.patch(`/members/${member.memberId}`, { role: 'admin' }, key),
    await org.patch(`/members/${admin.memberId}`, { role: 'member' }, key),
    await org.patch(`/members/${admin.memberId}`, { revokeKeys: true }, key),
    await org.delete(`/members/${admin.memberId}`, undefined, key),
    await org.post('/invitations', { email: newAddress(), role: 'admin' }, key),
    await org.post(`/invitations/${invitation.id}/resend`, undefined, key),
    await org.delete(`/invitations/${invitation.id}`, undefined, key),
  ])
    expectError(refused, 'insufficient_role')
  expect(await roleOf(org, admin.memberId)).toBe('admin')
  expect((await org.post('/invitations', { email: newAddress(), role: 'member' }, key)).status).toBe(201)
  expect((await org.delete(`/members/${member.memberId}`, undefined, key)).status).toBe(200)
})

test('a key whose creator is no longer an admin or a member cannot change members', async () => {
  const org = await service.org()
  const [owner, member] = await org.members('owner', 'member')
  const { memberId } = member
  await setCreatorRole(org, 'member')
  const refused = async () => {
    expectError(await org.patch(`/members/${memberId}`, { role: 'member' }), 'insufficient_role')
    expectError(await org.delete(`/members/${memberId}`), 'insufficient_role')
    expectError(await org.post('/invitations', { email: newAddress(), role: 'member' }), 'insufficient_role')
  }
  await refused()
  const { body } = await org.get<{ members: Member[] }>('/members')
  const creator = body.members.find(({ user }) => user.id === org.userId)?.id
  // A member may leave, but not through a key.
  expectError(await org.delete(`/members/${creator}`), 'insufficient_role')
  expect((await owner.delete(`/members/${creator}`)).status).toBe(200)
  await refused()
})

test('an invitation with an Idempotency-Key is made once, and its link is not stored as plain text', async () => {
  const org = await service.org()
  const asked = { email: newAddress(), role: 'member' }
  const key = { 'idempotency-key': 'invite once' }
  const first = await org.post<SentInvitation>('/invitations', asked, key)
  const repeat = await org.post<SentInvitation>('/invitations', asked, key)
  expect([first.status, repeat.status]).toEqual([201, 201])
  expect(repeat.body).toEqual(first.body)
  expect(repeat.headers['idempotent-replayed']).toBe('true')
  expect((await org.get<{ invitations: unknown[] }>('/invitations')).body.invitations).toHaveLength(1)
  const { body } = await ctx.db.one<{ body: string }>(
    sql`select body from idempotent_answers where org = ${org.org} and key = 'invite once'`,
  )
  expect(body).toMatch(/^sealed:/)
  const other = await org.post('/invitations', { ...asked, email: newAddress() }, key)
  expectError(other, 'idempotency_conflict')
})

test('a refused request can be sent again with its Idempotency-Key', async () => {
  const org = await service.org()
  const key = { 'idempotency-key': 'member once' }
  expectError(
    await org.post('/invitations', { email: 'not an address', role: 'member' }, key),
    'validation_error',
  )
  expect((await org.post('/invitations', { email: newAddress(), role: 'member' }, key)).status).toBe(201)
})
