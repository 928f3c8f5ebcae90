// Files of records and of activities, and their trash.
import { makeActivity } from './activities.ts'
import { create, idOf, only, type Party, type RouteCase, type RouteRequest, withBody } from './party.ts'
import { makeCompany, makePictureFile } from './records.ts'

type Params = Record<string, string>

const RECORD = '/objects/:objectId/records/:recordId/attachments'
const ACTIVITY = '/activities/:activityId/attachments'

const ofRecord = async (party: Party): Promise<Params> => ({ ...(await makeCompany(party)) })
const ofActivity = async (party: Party): Promise<Params> => ({ activityId: await makeActivity(party) })

const newAttachment = async (party: Party) => ({ url: await makePictureFile(party), name: party.mark })

const filled = (path: string, params: Params) =>
  path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')

const attached =
  (subject: (party: Party) => Promise<Params>, path: string) =>
  async (party: Party): Promise<Params> => {
    const params = await subject(party)
    const attachment = await create(party, filled(path, params), await newAttachment(party))
    return { ...params, attachmentId: idOf(attachment) }
  }

async function trashed(party: Party): Promise<Params> {
  const { attachmentId = '', ...params } = await attached(ofRecord, RECORD)(party)
  await party.org.delete(`${filled(RECORD, params)}/${attachmentId}`)
  return { attachmentId }
}

async function listingTrashed(party: Party): Promise<RouteRequest> {
  await trashed(party)
  return { params: {} }
}

const renamed = ({ mark }: Party) => ({ name: `Renamed ${mark}` })

export const attachmentCases = {
  [`GET ${RECORD}` as const]: { good: only(ofRecord) },
  [`POST ${RECORD}` as const]: { good: withBody(ofRecord, newAttachment) },
  [`PATCH ${RECORD}/:attachmentId` as const]: { good: withBody(attached(ofRecord, RECORD), renamed) },
  [`DELETE ${RECORD}/:attachmentId` as const]: { good: only(attached(ofRecord, RECORD)) },
  [`GET ${ACTIVITY}` as const]: { good: only(ofActivity) },
  [`POST ${ACTIVITY}` as const]: { good: withBody(ofActivity, newAttachment) },
  [`PATCH ${ACTIVITY}/:attachmentId` as const]: { good: withBody(attached(ofActivity, ACTIVITY), renamed) },
  [`DELETE ${ACTIVITY}/:attachmentId` as const]: { good: only(attached(ofActivity, ACTIVITY)) },
  'GET /trashed-attachments': { good: listingTrashed },
  'POST /trashed-attachments/:attachmentId/restore': { good: only(trashed) },
  'DELETE /trashed-attachments/:attachmentId': { good: only(trashed) },
} satisfies Readonly<Record<string, RouteCase>>
