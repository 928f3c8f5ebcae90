// Comments on records.
import {
  create,
  fresh,
  idOf,
  only,
  type Party,
  type RouteCase,
  type RouteRequest,
  withBody,
} from './party.ts'
import { makeCompany } from './records.ts'

const newComment = ({ org, mark }: Party) => ({ text: `<@${org.userId}> look: ${mark} ${fresh()}` })

async function makeComment(party: Party) {
  const { objectId, recordId } = await makeCompany(party)
  const path = `/objects/${objectId}/records/${recordId}/comments`
  return { objectId, recordId, commentId: idOf(await create(party, path, newComment(party))) }
}

async function ofCommented(party: Party) {
  const { objectId, recordId } = await makeComment(party)
  return { objectId, recordId }
}

const ofComment = async (party: Party) => ({ commentId: (await makeComment(party)).commentId })

const ofTrashedComment = async (party: Party) => {
  const { commentId } = await makeComment(party)
  await party.org.delete(`/comments/${commentId}`)
  return { commentId }
}

async function listingTrashed(party: Party): Promise<RouteRequest> {
  await ofTrashedComment(party)
  return { params: {} }
}

export const commentCases = {
  'GET /objects/:objectId/records/:recordId/comments': { good: only(ofCommented) },
  'POST /objects/:objectId/records/:recordId/comments': { good: withBody(ofCommented, newComment) },
  'GET /comments/:commentId': { good: only(ofComment) },
  'PATCH /comments/:commentId': { good: withBody(ofComment, newComment) },
  'DELETE /comments/:commentId': { good: only(ofComment) },
  'GET /trashed-comments': { good: listingTrashed },
  'POST /trashed-comments/:commentId/restore': { good: only(ofTrashedComment) },
  'DELETE /trashed-comments/:commentId': { good: only(ofTrashedComment) },
} satisfies Readonly<Record<string, RouteCase>>
