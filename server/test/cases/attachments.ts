// Files of records and of activities.
import { makeActivity } from './activities.ts'
import { create, idOf, only, type Party, type RouteCase, withBody } from './party.ts'
import { makeCompany, makePictureFile } from './records.ts'

type Params = Record<string, string>

const RECORD = '/objects/:objectId/records/:recordId/attachments'
const ACTIVITY = '/activities/:activityId/attachments'

const ofRecord = async (party: Party): Promise<Params> => ({ ...(await makeCompany(party)) })
const ofActivity = async (party: Party): Promise<Params> => ({ activityId: await makeActivity(party) })

const newAttachment = async (party: Party) => ({ url: await makePictureFile(party), name: party.mark })

const attached =
  (subject: (party: Party) => Promise<Params>, path: string) =>
  async (party: Party): Promise<Params> => {
    const params = await subject(party)
    const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
    return { ...params, attachmentId: idOf(await create(party, filled, await newAttachment(party))) }
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
} satisfies Readonly<Record<string, RouteCase>>
