// A model change that hides, shows or removes values gives each record with such a value a new version and an event.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { newId } from '../../base/id.ts'
import { purgeDeletedAttributes } from '../../model/attributes/jobs.ts'
import { attributesRemoved } from '../../model/attributes/removed.fixture.ts'
import { setAttributeActive } from '../../model/attributes/service.ts'
import { writeShownChanges } from '../../model/attributes/shown-job.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Reply, SignedInMember } from '../../test/dashboard-client.ts'
import type { Org } from '../../test/factories.ts'
import { mirrorOf, readFeed, readRecords } from '../../test/mirror/mirror.ts'
import { countEvents } from '../../test/mirror/settle.ts'
import { insertWorkflow, runsOf, step } from '../../workflows/workflow.fixture.ts'
import { restoreAllValues } from '../trash/attribute-values.ts'

const service = await buildTestService()
const { ctx } = service
const { db } = ctx
const running = () => new AbortController().signal

const COMPANIES = '/objects/companies'

const make = async (org: Org, data: object, object = COMPANIES) =>
  (await org.post<CrmRecord>(`${object}/records`, { data })).body
const read = (org: Org, { id }: Pick<CrmRecord, 'id'>) => org.get<CrmRecord>(`${COMPANIES}/records/${id}`)
const etagOf = ({ headers }: Reply<object>) => String(headers['etag'])

const add = async (org: Org, definition: object = {}) =>
  (await org.post<CrmRecord>(`${COMPANIES}/attributes`, { name: 'Code', type: 'text', ...definition })).body
const pathOf = ({ id }: Pick<CrmRecord, 'id'>) => `${COMPANIES}/attributes/${id}`
const restore = (org: Org, { id }: Pick<CrmRecord, 'id'>) =>
  org.post(`${COMPANIES}/attributes/trash/${id}/restore`)
const drop = async (org: Org, attribute: Pick<CrmRecord, 'id'>) => {
  expect((await org.delete(pathOf(attribute))).status).toBe(200)
  await attributesRemoved(ctx, org.org)
}
const activate = (admin: SignedInMember, attribute: Pick<CrmRecord, 'id'>, isActive: boolean) =>
  admin.patch(`${pathOf(attribute)}/active`, { isActive })

/** Within a transaction: the background job writes the new versions. */
const switchOnly = ({ org, userId }: Org, { id: attributeId }: Pick<CrmRecord, 'id'>, isActive: boolean) =>
  db.transaction((tx) =>
    setAttributeActive(
      { ...ctx, db: tx },
      { org, userId, keyId: null },
      { objectId: 'companies', attributeId, isActive },
    ),
  )

async function lastEvent(org: Org, { id }: Pick<CrmRecord, 'id'>) {
  const events = await org.events()
  return events.findLast(({ subject }) => subject === id)
}

/** A company with a value, and one without. */
async function build() {
  const org = await service.org()
  const code = await add(org)
  const acme = await make(org, { name: 'Acme', code: 'A' })
  const beta = await make(org, { name: 'Beta' })
  return { org, admin: await org.member('admin'), code, acme, beta }
}

async function expectMirror(org: Org): Promise<void> {
  const count = await countEvents(service, org)
  // Other tests may briefly hold transactions open.
  await expect.poll(async () => (await readFeed(org)).length).toBe(count)
  expect(mirrorOf(await readFeed(org))).toEqual(await readRecords(org))
}

describe('a record that has a value', () => {
  test('gets a version and an event when the attribute is deleted, and when it is restored', async () => {
    const { org, code, acme, beta } = await build()
    const before = await read(org, acme)
    await drop(org, code)
    const deleted = await read(org, acme)
    expect(deleted.body).toMatchObject({ version: 2, data: { name: 'Acme' } })
    expect(deleted.body.updatedAt > before.body.updatedAt).toBe(true)
    expect(etagOf(deleted)).not.toBe(etagOf(before))
    expect(await lastEvent(org, acme)).toMatchObject({
      ...{ type: 'record.updated', data: { name: 'Acme' } },
      changes: { code: { from: 'A', to: null } },
    })
    expect((await restore(org, code)).status).toBe(200)
    expect((await read(org, acme)).body).toMatchObject({ version: 3, data: { name: 'Acme', code: 'A' } })
    expect(await lastEvent(org, acme)).toMatchObject({ changes: { code: { from: null, to: 'A' } } })
    expect((await read(org, beta)).body).toEqual(beta)
    await expectMirror(org)
  })

  test('gets a version and an event when the attribute is switched off, and on again', async () => {
    const { org, admin, code, acme, beta } = await build()
    const before = await read(org, acme)
    expect((await activate(admin, code, false)).status).toBe(200)
    const hidden = await read(org, acme)
    expect(hidden.body).toMatchObject({ version: 2, data: { name: 'Acme' } })
    expect(etagOf(hidden)).not.toBe(etagOf(before))
    expect(await lastEvent(org, acme)).toMatchObject({
      ...{ type: 'record.updated', data: { name: 'Acme' } },
      changes: { code: { from: 'A', to: null } },
    })
    expect((await activate(admin, code, true)).status).toBe(200)
    expect((await read(org, acme)).body).toMatchObject({ version: 3, data: { name: 'Acme', code: 'A' } })
    expect(await lastEvent(org, acme)).toMatchObject({
      ...{ type: 'record.updated', data: { name: 'Acme', code: 'A' } },
      changes: { code: { from: null, to: 'A' } },
    })
    expect((await read(org, beta)).body).toEqual(beta)
    await expectMirror(org)
  })

  test('keeps its version when an inactive attribute is deleted and restored', async () => {
    const { org, admin, code, acme } = await build()
    await activate(admin, code, false)
    const before = (await read(org, acme)).body
    await drop(org, code)
    await restore(org, code)
    expect((await read(org, acme)).body).toEqual(before)
    await activate(admin, code, true)
    await restoreAllValues(ctx, running())
    expect((await read(org, acme)).body).toMatchObject({ version: 3, data: { name: 'Acme', code: 'A' } })
    await expectMirror(org)
  })

  test('gets new versions from the background job if the change is part of a transaction', async () => {
    const { org, code, acme } = await build()
    await switchOnly(org, code, false)
    expect((await read(org, acme)).body).toMatchObject({ version: 1, data: { name: 'Acme' } })
    await writeShownChanges(ctx, running())
    expect((await read(org, acme)).body.version).toBe(2)
    for (const isActive of [true, false, true]) await switchOnly(org, code, isActive)
    await writeShownChanges(ctx, running())
    expect((await read(org, acme)).body.version).toBe(3)
    await org.delete(pathOf(code), undefined, { 'idempotency-key': newId() })
    await purgeDeletedAttributes(ctx, running())
    expect((await read(org, acme)).body.version).toBe(4)
    await expectMirror(org)
  })

  test('gets one new version if the attribute is switched off and deleted before the background job runs', async () => {
    const { org, code, acme } = await build()
    await switchOnly(org, code, false)
    await drop(org, code)
    expect((await read(org, acme)).body).toMatchObject({ version: 2, data: { name: 'Acme' } })
    await expectMirror(org)
  })

  test('matches its events if the referenced record is deleted before the background job runs', async () => {
    const org = await service.org()
    const { id } = (await org.get<CrmRecord>(COMPANIES)).body
    const parent = await add(org, { name: 'Parent', type: 'reference', config: { allowed_object_id: id } })
    const acme = await make(org, { name: 'Acme' })
    await make(org, { name: 'Beta', parent: acme.id })
    await switchOnly(org, parent, false)
    await org.delete(`${COMPANIES}/records/${acme.id}`)
    await writeShownChanges(ctx, running())
    await expectMirror(org)
  })
})

describe('restored records, and records whose model changed', () => {
  test('start no workflow', async () => {
    const { org, admin, code, acme } = await build()
    const flows = await Promise.all(
      (['record/created', 'record/updated'] as const).map((trigger) =>
        insertWorkflow(ctx, org, {
          ...{ trigger, triggerConfig: { objectId: 'companies' } },
          steps: [step('set_variables', { variables: { x: 1 } })],
        }),
      ),
    )
    await activate(admin, code, false)
    await activate(admin, code, true)
    await drop(org, code)
    await restore(org, code)
    await org.delete(`${COMPANIES}/records/${acme.id}`)
    expect((await org.post(`${COMPANIES}/trash/${acme.id}/restore`)).status).toBe(200)
    await service.runWorkflows()
    expect(await Promise.all(flows.map((made) => runsOf(ctx, made)))).toEqual([[], []])
    // A new record starts a workflow.
    await make(org, { name: 'Gamma' })
    await service.runWorkflows()
    expect((await Promise.all(flows.map((made) => runsOf(ctx, made)))).map(({ length }) => length)).toEqual([
      1, 0,
    ])
  })

  test('notify no member', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const acme = await make(org, { name: 'Acme', owner: mia.userId })
    await service.notifyMembers()
    const inbox = async () =>
      (await db.many(sql`select id from notifications where org = ${org.org} and user_id = ${mia.userId}`))
        .length
    expect(await inbox()).toBe(1)
    await org.delete(`${COMPANIES}/records/${acme.id}`)
    await org.post(`${COMPANIES}/trash/${acme.id}/restore`)
    expect((await read(org, acme)).body).toMatchObject({ version: 3, data: { owner: mia.userId } })
    const waiting = sql`select from event_pending where org = ${org.org} and reader = 'notifications'`
    expect(await db.many(waiting)).toEqual([])
    await service.notifyMembers()
    expect(await inbox()).toBe(1)
  })
})

test('until it has its version, the ETag from before gets no 304, but If-Match accepts it', async () => {
  const { org, code, acme } = await build()
  const conditional = (etag: string) =>
    service.inject({
      url: `/api/v1${COMPANIES}/records/${acme.id}`,
      headers: { authorization: `Bearer ${org.key}`, 'if-none-match': etag },
    })
  const before = etagOf(await read(org, acme))
  await switchOnly(org, code, false)
  const hidden = await conditional(before)
  expect([hidden.statusCode, hidden.json()]).toMatchObject([200, { data: { name: 'Acme' }, version: 1 }])
  expect((await conditional(String(hidden.headers['etag']))).statusCode).toBe(304)
  const patch = (ifMatch: string, name: string) =>
    org.patch(`${COMPANIES}/records/${acme.id}`, { data: { name } }, { 'if-match': ifMatch })
  expect((await patch(before, 'Acme Ltd')).status).toBe(200)
  expect((await patch(before, 'Acme SA')).status).toBe(412)
  const after = etagOf(await read(org, acme))
  expect((await patch(after, 'Acme SA')).status).toBe(200)
})
