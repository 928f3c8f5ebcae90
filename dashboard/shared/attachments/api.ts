// Files of records and activities.
import { queryOptions } from '@tanstack/react-query'
import type { ActivityAttachment, Attachment } from '../../../contract/attachments.ts'
import { ACTIVITIES_MAX } from '../../../contract/limits.ts'
import { organizationPath, request } from '../api/client.ts'
import { reachable } from '../api/file-address.ts'
import { gathering } from '../api/gather.ts'

export type { Attachment }

/** What files are attached to; `object` is the slug or id. */
export type Subject = { object: string; recordId: string } | { activityId: string }

export const subjectKey = (subject: Subject): string =>
  'activityId' in subject ? subject.activityId : subject.recordId

const place = (org: string, subject: Subject) =>
  'activityId' in subject
    ? `${organizationPath(org)}/activities/${subject.activityId}/attachments`
    : `${organizationPath(org)}/objects/${subject.object}/records/${subject.recordId}/attachments`

const here = (attachment: Attachment): Attachment => ({ ...attachment, url: reachable(attachment.url) })

async function fetchOfActivities(
  org: string,
  activityIds: readonly string[],
): Promise<Map<string, Attachment[]>> {
  const { attachments } = await request<{ attachments: ActivityAttachment[] }>(
    'POST',
    `${organizationPath(org)}/activity-attachments`,
    { body: { activityIds } },
  )
  const byActivity = Map.groupBy(attachments, ({ activityId }) => activityId)
  return new Map([...byActivity].map(([id, all]) => [id, all.map(({ attachment }) => here(attachment))]))
}

const askOfActivity = gathering(fetchOfActivities, (id: string) => id, ACTIVITIES_MAX)

async function read(org: string, subject: Subject, signal: AbortSignal): Promise<Attachment[]> {
  if ('activityId' in subject) return (await askOfActivity(org, subject.activityId)) ?? []
  const { attachments } = await request<{ attachments: Attachment[] }>('GET', place(org, subject), { signal })
  return attachments.map(here)
}

/** In the order in which they came; of activities those of a whole page are fetched together. */
export const attachmentsQuery = (org: string, subject: Subject) =>
  queryOptions({
    queryKey: [org, 'attachments', subjectKey(subject)],
    queryFn: ({ signal }) => read(org, subject, signal),
  })

export const attach = async (org: string, subject: Subject, body: { url: string; name: string }) =>
  here(await request<Attachment>('POST', place(org, subject), { body }))

export const renameAttachment = async (
  org: string,
  subject: Subject,
  { id, name }: Pick<Attachment, 'id' | 'name'>,
) => here(await request<Attachment>('PATCH', `${place(org, subject)}/${id}`, { body: { name } }))

export const detach = (org: string, subject: Subject, id: string) =>
  request('DELETE', `${place(org, subject)}/${id}`)
