import { expect, test } from 'vitest'
import { isRoleToGive, whyMemberStays, whyRoleStays } from './member-rules.ts'

const cases = [
  [
    'member',
    'member',
    false,
    1,
    'Only owners and admins can change roles',
    'Only owners and admins can remove members',
  ],
  ['member', 'member', true, 1, 'Only owners and admins can change roles', undefined],
  ['admin', 'member', false, 1, undefined, undefined],
  ['admin', 'admin', true, 1, undefined, undefined],
  [
    'admin',
    'owner',
    false,
    2,
    'Only owners can change the role of an owner',
    'Only owners can remove an owner',
  ],
  ['owner', 'owner', false, 2, undefined, undefined],
  ['owner', 'owner', true, 2, undefined, undefined],
  ['owner', 'member', false, 1, undefined, undefined],
] as const

test.each(cases)(
  'what a %s may do to a %s (self: %s, owners: %i)',
  (actor, target, isSelf, owners, role, removal) => {
    const meeting = { actor, target, isSelf, owners }
    expect(whyRoleStays(meeting)).toBe(role)
    expect(whyMemberStays(meeting)).toBe(removal)
  },
)

test('the last owner cannot lose the role or be removed', () => {
  const meeting = { actor: 'owner', target: 'owner', isSelf: true, owners: 1 } as const
  expect(whyRoleStays(meeting)).toMatch(/at least one owner/)
  expect(whyMemberStays(meeting)).toMatch(/at least one owner/)
})

test('only owners can give the role owner', () => {
  expect(isRoleToGive('owner', 'owner')).toBe(true)
  expect(isRoleToGive('admin', 'owner')).toBe(false)
  expect(isRoleToGive('admin', 'admin')).toBe(true)
  expect(isRoleToGive('member', 'member')).toBe(false)
})
