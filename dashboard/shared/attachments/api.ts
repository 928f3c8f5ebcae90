// Requests and queries for files of records and activities, and for files in the trash.
import { queryOptions } from '@tanstack/react-query'
import type { Attachment } from '../../../contract/attachments.ts'
import { ACTIVITIES_MAX } from '../../../contract/limits.ts'
import { request } from '../api/client.ts'
import { reachable } from '../api/file-address.ts'
import { gathering } from '../api/gather.ts'
import { pagesQuery } from '../api/queries.ts'

export type { Attachment }

/** The record or activity with the files. `object` is a slug or an id. */
export type Subject = RecordSubject | { activityId: string }

interface RecordSubject {
  object: string
  recordId: string
}

export const subjectKey = (subject: Subject): string =>
  'activityId' in subject ? subject.activityId : subject.recordId

const ofRecord = ({ object, recordId }: RecordSubject) => ({ objectId: object, recordId })

const here = (attachment: Attachment): Attachment => ({ ...attachment, url: reachable(attachment.url) })

async function fetchOfActivities(
  org: string,
  activityIds: readonly string[],
): Promise<Map<string, Attachment[]>> {
  const { attachments } = await request('POST /activity-attachments', { org, body: { activityIds } })
  const byActivity = Map.groupBy(attachments, ({ activityId }) => activityId)
  return new Map([...byActivity].map(([id, all]) => [id, all.map(({ attachment }) => here(attachment))]))
}

const askOfActivity = gathering(fetchOfActivities, (id: string) => id, ACTIVITIES_MAX)

async function read(org: string, subject: Subject, signal: AbortSignal): Promise<Attachment[]> {
  if ('activityId' in subject) return (await askOfActivity(org, subject.activityId)) ?? []
  const { attachments } = await request('GET /objects/:objectId/records/:recordId/attachments', {
    org,
    params: ofRecord(subject),
    signal,
  })
  return attachments.map(here)
}

/** The query key of all data about files. */
export const attachmentsKey = (org: string) => [org, 'attachments'] as const

/** In the order of creation. The files of all activities on a page are fetched in one request. */
export const attachmentsQuery = (org: string, subject: Subject) =>
  queryOptions({
    queryKey: [...attachmentsKey(org), subjectKey(subject)],
    queryFn: ({ signal }) => read(org, subject, signal),
  })

const addTo = (org: string, subject: Subject, body: { url: string; name: string }) =>
  'activityId' in subject
    ? request('POST /activities/:activityId/attachments', { org, params: subject, body })
    : request('POST /objects/:objectId/records/:recordId/attachments', {
        org,
        params: ofRecord(subject),
        body,
      })

export const attach = async (org: string, subject: Subject, body: { url: string; name: string }) =>
  here(await addTo(org, subject, body))

const rename = (org: string, subject: Subject, { id, name }: Pick<Attachment, 'id' | 'name'>) =>
  'activityId' in subject
    ? request('PATCH /activities/:activityId/attachments/:attachmentId', {
        org,
        params: { ...subject, attachmentId: id },
        body: { name },
      })
    : request('PATCH /objects/:objectId/records/:recordId/attachments/:attachmentId', {
        org,
        params: { ...ofRecord(subject), attachmentId: id },
        body: { name },
      })

export const renameAttachment = async (
  org: string,
  subject: Subject,
  change: Pick<Attachment, 'id' | 'name'>,
) => here(await rename(org, subject, change))

export const detach = (org: string, subject: Subject, id: string) =>
  'activityId' in subject
    ? request('DELETE /activities/:activityId/attachments/:attachmentId', {
        org,
        params: { ...subject, attachmentId: id },
      })
    : request('DELETE /objects/:objectId/records/:recordId/attachments/:attachmentId', {
        org,
        params: { ...ofRecord(subject), attachmentId: id },
      })

export const restoreAttachment = (org: string, id: string) =>
  request('POST /trashed-attachments/:attachmentId/restore', { org, params: { attachmentId: id } })

const PAGE_ROWS = 50

/** The most recently removed file comes first. */
export const trashedAttachmentsQuery = (org: string) =>
  pagesQuery([...attachmentsKey(org), 'trash'], 'GET /trashed-attachments', {
    org,
    query: { limit: PAGE_ROWS },
  })

export const purgeAttachment = (org: string, id: string) =>
  request('DELETE /trashed-attachments/:attachmentId', { org, params: { attachmentId: id } })
