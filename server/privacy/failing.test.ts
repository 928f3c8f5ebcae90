// Erasures that fail or wait for an import: started over HTTP, run by their job.
import { expect, test } from 'vitest'
import type { PrivacyRequest } from '../../contract/privacy.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { checked, mapping, post } from '../imports/imports.fixture.ts'
import { workOnJob } from '../record-jobs/jobs.ts'
import { expectError, type Org } from '../test/factories.ts'
import { findMarkers } from './erasure.fixture.ts'
import { workOnErasure } from './jobs.ts'

const service = await buildFileService()
const { ctx } = service
const never = new AbortController().signal
const PEOPLE = '/objects/people/records'
const PERSON = { name: 'Zorblax Quuxley', email: 'zorblax@vextrune.example' }

const make = async (org: Org, data: object) => (await org.post<{ id: string }>(PEOPLE, { data })).body.id
const erase = async (org: Org, person: string) => {
  const { status, body } = await org.post<PrivacyRequest>(`${PEOPLE}/${person}/erasure`, { confirm: person })
  expect([status, body]).toMatchObject([201, { state: 'running', problem: null, finishedAt: null }])
  return body
}
const requestOf = async (org: Org, { id }: Pick<PrivacyRequest, 'id'>) =>
  (await org.get<PrivacyRequest>(`/privacy/requests/${id}`)).body

/** Repeats the job like the queue, until it does not fail any more. @returns the number of failures */
async function tryUntilOver(broken: typeof ctx, ref: { org: number; id: string }): Promise<number> {
  for (let failed = 0; failed < 1000; failed++)
    try {
      await workOnErasure(broken, ref, never)
      return failed
    } catch (error) {
      expect((error as Error).message).toBe('broken')
    }
  throw new Error('it fails for ever')
}

const fail = () => {
  throw new Error('broken')
}

test.each([
  ['before the record is deleted', { secrets: { ...ctx.secrets, open: fail } }],
  ['after it is deleted', { directory: Object.assign(Object.create(ctx.directory), { run: fail }) }],
])('an erasure that fails %s ends, and continues when it is requested again', async (_when, broken) => {
  const org = await service.org()
  const person = await make(org, PERSON)
  const { id } = await erase(org, person)
  const ref = { org: org.org, id }
  expect(await tryUntilOver({ ...ctx, ...broken }, ref)).toBeGreaterThan(10)
  const failed = await requestOf(org, { id })
  expect(failed).toMatchObject({ state: 'failed', problem: expect.stringMatching(/log of the service/) })
  expect(failed.finishedAt).not.toBeNull()
  const other = await service.org()
  expectError(await other.post(`${PEOPLE}/${person}/erasure`, { confirm: person }), 'not_found')
  expectError(
    await org.post(`/objects/companies/records/${person}/erasure`, { confirm: person }),
    'not_found',
  )
  expect((await erase(org, person)).id).toBe(id)
  expect((await erase(org, person)).id).toBe(id)
  await service.drain()
  expect(await requestOf(org, { id })).toMatchObject({ state: 'completed', problem: null })
  expect(await findMarkers(service, org)).toEqual([])
  expectError(await org.post(`${PEOPLE}/${person}/erasure`, { confirm: person }), 'not_found')
})

const CSV = 'First,Last,Email\nZorblax,Quuxley,zorblax@vextrune.example\n'

test('an erasure first waits for a running import, which could otherwise make the person again', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const settings = { mapping: mapping('name.firstName', 'name.lastName', 'email') }
  const file = await checked(service, admin, { text: CSV, ...settings })
  const later = await checked(service, admin, { text: CSV, ...settings })
  const person = await make(org, PERSON)
  expect((await post(admin, file, 'run')).state).toBe('running')
  const ref = { org: org.org, id: (await erase(org, person)).id }
  const working = workOnErasure(ctx, ref, never)
  await expect.poll(async () => (await requestOf(org, ref)).waitsFor).toBe('imports')
  expect((await org.get(`${PEOPLE}/${person}`)).status).toBe(200)
  await workOnJob(ctx, { org: org.org, id: file.id }, never)
  await working
  expect(await requestOf(org, ref)).toMatchObject({ state: 'completed', counts: { records: 1, imports: 2 } })
  expectError(await admin.post(`/imports/${later.id}/run`), 'wrong_state')
  await service.drain()
  expect(await findMarkers(service, org)).toEqual([])
})

test('an erasure of a company waits for an import of people that may make the company again', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const company = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Vextrune' } })
  const file = await checked(service, admin, {
    text: 'Name,Company\nAda,Elsewhere\n',
    mapping: [...mapping('name'), { index: 1, attributeSlug: 'company', onProblem: 'create' }],
  })
  await post(admin, file, 'run')
  const { id } = company.body
  const erasure = await admin.post<{ id: string }>(`/objects/companies/records/${id}/erasure`, {
    confirm: id,
  })
  const ref = { org: org.org, id: erasure.body.id }
  const working = workOnErasure(ctx, ref, never)
  await expect.poll(async () => (await requestOf(org, ref)).waitsFor).toBe('imports')
  await workOnJob(ctx, { org: org.org, id: file.id }, never)
  await working
  expect(await requestOf(org, ref)).toMatchObject({ state: 'completed', counts: { records: 1 } })
})
