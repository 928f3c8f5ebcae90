// Deletes and restores activities for tests.
import { expect } from 'vitest'
import type { Activity } from '../../../contract/activities.ts'
import type { RestoredActivity, TrashedActivity } from '../../../contract/activity-trash.ts'
import type { Pagination } from '../../../contract/common.ts'
import type { Reply } from '../../test/dashboard-client.ts'
import { bodyOf, type Org } from '../../test/factories.ts'

export interface TrashPage {
  activities: TrashedActivity[]
  pagination: Pagination
}

type Sender = Pick<Org, 'get' | 'post' | 'delete'>

export async function trashActivity(org: Sender, id: string): Promise<void> {
  expect(await org.delete(`/activities/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } })
}

export const restore = (org: Sender, id: string): Promise<Reply<RestoredActivity>> =>
  org.post<RestoredActivity>(`/trashed-activities/${id}/restore`)

/** @returns the losses of the restore */
export async function restored(org: Sender, id: string): Promise<RestoredActivity['losses']> {
  const body = bodyOf(await restore(org, id))
  expect(body.lossCount).toBe(body.losses.length)
  return body.losses
}

export const trashOf = async (org: Sender, query = ''): Promise<TrashPage> =>
  (await org.get<TrashPage>(`/trashed-activities${query}`)).body

export const readActivity = async (org: Sender, id: string): Promise<Activity> =>
  (await org.get<Activity>(`/activities/${id}`)).body
