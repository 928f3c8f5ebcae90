// Erasures of records that were deleted permanently: events, runs, deliveries and files still have their values.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { ErasurePreview, MentionList, PrivacyRequest } from '../../contract/privacy.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { startReceiver } from '../test/receiver.ts'
import { buildEverywhere, findMarkers } from './erasure.fixture.ts'

const service = await buildFileService()
const PEOPLE = '/objects/people/records'
const EMAIL = 'zorblax@vextrune.example'
/** Parts of the values. The texts of activities and files that named the person are not found by its id any more. */
const VALUES = ['zorblax', 'quuxley', '4155550199', 'oldvalue', 'merrygold', 'vextrune.example']

const erase = (org: Pick<Org, 'post'>, object: string, id: string) =>
  org.post<PrivacyRequest>(`/objects/${object}/records/${id}/erasure`, { confirm: id })

const requestOf = async (org: Org, { id }: Pick<PrivacyRequest, 'id'>) =>
  (await org.get<PrivacyRequest>(`/privacy/requests/${id}`)).body

const make = async (org: Org, data: object, object = 'people') =>
  (await org.post<{ id: string }>(`/objects/${object}/records`, { data })).body.id

test('an erasure of a permanently deleted record removes every value from what is kept', async () => {
  const receiver = await startReceiver()
  const { org, person, loser, other } = await buildEverywhere(service, receiver)
  expect((await org.delete(`${PEOPLE}/${person}?permanent=true`)).status).toBe(200)
  const preview = await org.get<ErasurePreview>(`${PEOPLE}/${person}/erasure`)
  expect([preview.status, preview.body]).toMatchObject([
    200,
    { recordId: person, mergedIds: [loser], isInTrash: false },
  ])
  expect(preview.body.counts.events).toBeGreaterThan(3)
  const { status, body } = await erase(org, 'people', person)
  expect([status, body]).toMatchObject([201, { state: 'running' }])
  await service.drain()
  expect(await requestOf(org, body)).toMatchObject({ state: 'completed', problem: null })
  expect(await findMarkers(service, org, VALUES)).toEqual([])
  expect((await org.get(`${PEOPLE}/${other}`)).status).toBe(200)
  for (const path of ['erasure', 'mentions'])
    expectError(await org.get(`${PEOPLE}/${person}/${path}`), 'not_found')
  expectError(await erase(org, 'people', person), 'not_found')
})

test('mentions of a purged record are found; its id is unknown to other objects and organizations', async () => {
  const org = await service.org()
  const person = await make(org, { name: 'Zorblax Quuxley', email: EMAIL })
  const other = await make(org, { name: 'Ann', job_title: `Assistant of ${EMAIL}` })
  await org.delete(`${PEOPLE}/${person}`)
  expect((await org.delete(`/objects/people/trashed-records/${person}`)).status).toBe(200)
  const { mentions } = (await org.get<MentionList>(`${PEOPLE}/${person}/mentions`)).body
  expect(mentions).toMatchObject([{ kind: 'record', id: other, found: EMAIL }])
  const stranger = await service.org()
  expectError(await erase(stranger, 'people', person), 'not_found')
  expectError(await erase(org, 'companies', person), 'not_found')
  expect((await erase(org, 'people', person)).status).toBe(201)
})

test('a failed erasure continues by the id of its record after the record was deleted permanently', async () => {
  const org = await service.org()
  const person = await make(org, { name: 'Zorblax Quuxley', email: EMAIL })
  const { body: request } = await erase(org, 'people', person)
  await service.ctx.db.run(sql`
    update privacy_requests set state = 'failed', finished_at = now() where org = ${org.org} and id = ${request.id}`)
  expect((await org.delete(`${PEOPLE}/${person}?permanent=true`)).status).toBe(200)
  expectError(await erase(org, 'companies', person), 'not_found')
  const { status, body } = await erase(org, 'people', person)
  expect([status, body]).toMatchObject([201, { id: request.id, state: 'running' }])
  await service.drain()
  expect(await requestOf(org, body)).toMatchObject({ state: 'completed' })
  expect(await findMarkers(service, org, VALUES)).toEqual([])
})
