// What ends when a member is removed or loses rights: the member's invitations, and API keys on request.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Invitation, SentInvitation } from '../../../contract/invitations.ts'
import type { Member } from '../../../contract/members.ts'
import type { SignedInMember } from '../../test/dashboard-client.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { person, tokenIn, visitor } from '../visitor.fixture.ts'

const service = await sharedTestService()

async function memberIdOf(org: Org, { userId }: SignedInMember): Promise<string> {
  const { body } = await org.get<{ members: Member[] }>('/members')
  return body.members.find(({ user }) => user.id === userId)?.id ?? ''
}

async function team() {
  const org = await service.org()
  const [owner, boss] = await org.members('owner', 'owner')
  const [admin, member] = await org.members('admin', 'member')
  return { org, owner, boss, admin, member, id: (one: SignedInMember) => memberIdOf(org, one) }
}

/** @returns the secret of the invitation's link */
async function invitationBy(inviter: SignedInMember, role = 'member'): Promise<string> {
  const { status, body } = await inviter.post<SentInvitation>('/invitations', { email: person().email, role })
  expect(status).toBe(201)
  return tokenIn(body.inviteUrl)
}

const accept = (token: string) =>
  visitor(service).post(`/invitations/${token}/accept`, { name: 'Nina New', password: 'correct horse' })

async function expectCancelled(token: string) {
  expect((await visitor(service).get(`/invitations/${token}`)).body).toMatchObject({ state: 'cancelled' })
  const refused = await accept(token)
  expectError(refused, 'invitation_closed')
  expect(refused.body).toMatchObject({ details: { state: 'cancelled' } })
}

const listed = async (member: SignedInMember) =>
  (await member.get<{ invitations: Invitation[] }>('/invitations')).body.invitations

test('removing an admin cancels the admin’s invitations, and no others', async () => {
  const { owner, admin, id } = await team()
  const [cancelled, open] = [await invitationBy(admin, 'admin'), await invitationBy(owner, 'admin')]
  expect((await owner.delete(`/members/${await id(admin)}`)).status).toBe(200)
  await expectCancelled(cancelled)
  expect((await listed(owner)).map(({ invitedBy }) => invitedBy.id)).toEqual([owner.userId])
  expect((await accept(open)).status).toBe(200)
})

test('an admin who leaves ends their own invitations', async () => {
  const { admin, id } = await team()
  const token = await invitationBy(admin)
  expect((await admin.delete(`/members/${await id(admin)}`)).status).toBe(200)
  await expectCancelled(token)
})

test('demotion cancels invitations to roles that the new role may not give', async () => {
  const { owner, boss, id } = await team()
  const [asOwner, asAdmin] = [await invitationBy(boss, 'owner'), await invitationBy(boss, 'admin')]
  await owner.patch(`/members/${await id(boss)}`, { role: 'admin' })
  await expectCancelled(asOwner)
  expect(await listed(owner)).toHaveLength(1)
  await owner.patch(`/members/${await id(boss)}`, { role: 'member' })
  await expectCancelled(asAdmin)
  expect(await listed(owner)).toEqual([])
})

test('an invitation that another member sent again outlives its first inviter', async () => {
  const { owner, admin, id } = await team()
  await invitationBy(admin)
  const [invitation] = await listed(owner)
  const { body } = await owner.post<SentInvitation>(`/invitations/${invitation?.id}/resend`)
  await owner.delete(`/members/${await id(admin)}`)
  expect((await accept(tokenIn(body.inviteUrl))).status).toBe(200)
})

test('acceptance checks the rights of the inviter again', async () => {
  const { admin, boss } = await team()
  const [byAdmin, byOwner] = [await invitationBy(admin), await invitationBy(boss, 'owner')]
  const { directory: db } = service.ctx
  // After changes past the service, an invitation stays open although its inviter no longer has the right.
  await db.run(sql`delete from members where user_id = ${admin.userId}`)
  await db.run(sql`update members set role = 'admin' where user_id = ${boss.userId}`)
  await expectCancelled(byAdmin)
  await expectCancelled(byOwner)
})

test('an invitation that is sent during the removal of its inviter does not stay open', async () => {
  for (let round = 0; round < 5; round++) {
    const { owner, admin, id } = await team()
    const memberId = await id(admin)
    const invitation = { email: person().email, role: 'member' }
    await Promise.all([admin.post('/invitations', invitation), owner.delete(`/members/${memberId}`)])
    expect(await listed(owner)).toEqual([])
  }
})

const keyOf = async (member: SignedInMember, name: string): Promise<string> =>
  bodyOf(await member.post<{ key: string }>('/api-keys', { name, scopes: null }), 201).key

async function statusWith(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return (await service.inject({ url: '/api/v1/objects', headers })).statusCode
}

test('the keys of a removed member are deleted on request before the answer, and no others', async () => {
  const { owner, admin, id } = await team()
  const [dead, alive] = [await keyOf(admin, 'Forms'), await keyOf(owner, 'Sync')]
  expect(await statusWith(dead)).toBe(200)
  expect((await owner.delete(`/members/${await id(admin)}?revokeKeys=true`)).status).toBe(200)
  expect([await statusWith(dead), await statusWith(alive)]).toEqual([401, 200])
})

test('the keys of a demoted member are deleted on request', async () => {
  const { owner, admin, id } = await team()
  const key = await keyOf(admin, 'Forms')
  const change = { role: 'member', revokeKeys: true }
  expect(await owner.patch(`/members/${await id(admin)}`, change)).toMatchObject({
    status: 200,
    body: { role: 'member' },
  })
  expect(await statusWith(key)).toBe(401)
})

test('without the request, keys continue to work', async () => {
  const { owner, admin, id } = await team()
  const key = await keyOf(admin, 'Forms')
  await owner.patch(`/members/${await id(admin)}`, { role: 'member' })
  await owner.delete(`/members/${await id(admin)}`)
  expect(await statusWith(key)).toBe(200)
})

test('a member without the right to manage keys cannot delete them when leaving', async () => {
  const { owner, admin, id } = await team()
  const key = await keyOf(admin, 'Forms')
  const memberId = await id(admin)
  await owner.patch(`/members/${memberId}`, { role: 'member' })
  expectError(await admin.delete(`/members/${memberId}?revokeKeys=true`), 'insufficient_role')
  expect(await statusWith(key)).toBe(200)
  expect((await admin.delete(`/members/${memberId}`)).status).toBe(200)
})

test('a malformed request to delete keys changes nothing', async () => {
  const { owner, admin, id } = await team()
  const memberId = await id(admin)
  expectError(await owner.delete(`/members/${memberId}?revokeKeys=yes`), 'invalid_parameter')
  expectError(
    await owner.patch(`/members/${memberId}`, { role: 'member', revokeKeys: 1 }),
    'validation_error',
  )
  expect(await id(admin)).toBe(memberId)
})
