// Creates data of an organization for browser tests.
import type { Page } from 'playwright-core'
import type { Org } from '../../server/test/factories.ts'

/** @returns the new record's id */
export async function addRecord(org: Org, object: string, data: Record<string, unknown>): Promise<string> {
  const { status, body } = await org.post<{ id: string }>(`/objects/${object}/records`, { data })
  if (status !== 201) throw new Error(`The record was refused: ${JSON.stringify(body)}`)
  return body.id
}

/** The current values of a record. */
export async function dataOf(org: Org, object: string, id: string): Promise<Record<string, unknown>> {
  const { body } = await org.get<{ data: Record<string, unknown> }>(`/objects/${object}/records/${id}`)
  return body.data
}

export async function objectId(org: Org, slug: string): Promise<string> {
  const { body } = await org.get<{ id: string }>(`/objects/${slug}`)
  return body.id
}

/** An object "Things". @returns the path of its table */
export async function addThings(org: Org, attributes: readonly object[]): Promise<string> {
  await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
  for (const attribute of attributes) await org.post('/objects/things/attributes', attribute)
  return `/o/org-${org.id}/objects/things`
}

/** @returns the new activity's id */
export async function addActivity(org: Org, activity: Record<string, unknown>): Promise<string> {
  const { status, body } = await org.post<{ id: string }>('/activities', activity)
  if (status !== 201) throw new Error(`The activity was refused: ${JSON.stringify(body)}`)
  return body.id
}

export const recordAddress = (org: Org, object: string, id: string): string =>
  `/o/org-${org.id}/objects/${object}/${id}`

/** Waits until the record is shown. */
export async function openRecordPage(page: Page, address: string): Promise<Page> {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading' }).waitFor()
  return page
}
