// Members, invitations, what members own, and the settings of the organization.
import { create, fresh, idOf, none, only, type Party, type RouteCase, withBody } from './party.ts'

const ofMember = async ({ org }: Party) => ({ memberId: (await org.member('member')).memberId })

const newInvitation = ({ mark }: Party) => ({ email: `${mark}-${fresh()}@example.com`, role: 'member' })

const ofInvitation = async (party: Party) => ({
  invitationId: idOf(await create(party, '/invitations', newInvitation(party))),
})

const newReassignment = async ({ org }: Party) => ({ from: (await org.member('member')).userId, to: null })

const ofReassignment = async (party: Party) => ({
  reassignmentId: idOf(await create(party, '/reassignments', await newReassignment(party))),
})

export const memberCases = {
  'GET /members': { good: only(none) },
  'PATCH /members/:memberId': { good: withBody(ofMember, () => ({ role: 'member', revokeKeys: true })) },
  'DELETE /members/:memberId': { good: only(ofMember) },
  'GET /members/:memberId/assignments': { good: only(ofMember) },
  'GET /reassignments': { good: only(none) },
  'POST /reassignments': { good: withBody(none, newReassignment) },
  'POST /reassignments/:reassignmentId/cancel': { good: only(ofReassignment) },
  'GET /invitations': { good: only(none) },
  'POST /invitations': { good: withBody(none, newInvitation) },
  'POST /invitations/:invitationId/resend': { good: only(ofInvitation) },
  'DELETE /invitations/:invitationId': { good: only(ofInvitation) },
  'GET /organization': { good: only(none) },
  'PATCH /organization': { good: withBody(none, ({ mark }) => ({ name: `${mark} ${fresh()}` })) },
} satisfies Readonly<Record<string, RouteCase>>
