import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { BROKEN_PATHS, broken, makeWorkflow, noteOnDeal, pathsOf } from './dashboard.fixture.ts'

const service = await sharedTestService()
const org = await service.org()
const owner = await org.member('owner')

interface Listed {
  id: string
  name: string
}

describe('GET /workflows', () => {
  test('lists workflows oldest first, without definitions', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    const first = await makeWorkflow(admin, { description: 'Notes' })
    const second = await makeWorkflow(admin, { definition: { trigger: 'manual', steps: [] } })
    const { body } = await own.get<{ workflows: Listed[] }>('/workflows')
    const deals = await own.get<{ id: string }>('/objects/deals')
    expect(body.workflows).toEqual([
      {
        id: first.id,
        name: first.name,
        description: 'Notes',
        trigger: 'record/updated',
        enabled: false,
        isPaused: false,
        version: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        object: { id: deals.body.id, pluralName: 'Deals', slug: 'deals' },
        createdBy: { id: admin.userId, name: 'Mia Member', email: admin.email },
      },
      expect.objectContaining({ id: second.id, trigger: 'manual', object: null }),
    ])
  })
})

describe('GET /workflows/:workflowId', () => {
  test('returns the definition with all digits of its numbers', async () => {
    const text = JSON.stringify({ name: 'Digits', definition: { trigger: 'manual', steps: [] } }).replace(
      '[]',
      '[{"key":"v","type":"set_variables","config":{"variables":{"n":0.1234567890123456789012345678}}}]',
    )
    const { body } = await owner.post<{ id: string }>('/workflows', text)
    const response = await service.inject({
      url: `/api/v1/workflows/${body.id}`,
      headers: { authorization: `Bearer ${org.key}` },
    })
    expect(response.payload).toContain('0.1234567890123456789012345678')
    expect(response.headers.etag).toMatch(/^"\w+\.[\w-]{11}"$/)
  })

  test.each(['nonsense', '0198c0de-0000-7000-8000-000000000001'])('returns 404 for %s', async (id) => {
    expectError(await org.get(`/workflows/${id}`), 'not_found')
  })
})

describe('PATCH /workflows/:workflowId', () => {
  test('renames the workflow, with a new ETag', async () => {
    const { id } = await makeWorkflow(owner)
    const before = await org.get(`/workflows/${id}`)
    const patch = { name: 'Renamed', description: 'For a reason' }
    const reply = await org.patch(`/workflows/${id}`, patch, { 'if-match': String(before.headers['etag']) })
    expect(reply).toMatchObject({ status: 200, body: { id, ...patch, version: 1, enabled: false } })
    expect(reply.headers['etag']).not.toBe(before.headers['etag'])
    const stale = await org.patch(
      `/workflows/${id}`,
      { name: 'Again' },
      { 'if-match': String(before.headers['etag']) },
    )
    expectError(stale, 'precondition_failed')
  })

  test('keeps the ETag for a change without effect', async () => {
    const { id, name } = await makeWorkflow(owner)
    const before = await org.get(`/workflows/${id}`)
    expect((await org.patch(`/workflows/${id}`, { name, enabled: false })).status).toBe(200)
    expect((await org.get(`/workflows/${id}`)).headers['etag']).toBe(before.headers['etag'])
  })

  test('enables and disables the workflow', async () => {
    const { id } = await makeWorkflow(owner)
    expect(await org.patch(`/workflows/${id}`, { enabled: true })).toMatchObject({
      status: 200,
      body: { enabled: true },
    })
    expect(await org.patch(`/workflows/${id}`, { enabled: false })).toMatchObject({
      body: { enabled: false },
    })
  })

  test('does not enable a workflow with problems, and names all paths', async () => {
    const { id } = await makeWorkflow(owner, { definition: broken })
    const reply = await org.patch(`/workflows/${id}`, { enabled: true, name: 'Not even renamed' })
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toEqual(BROKEN_PATHS)
    expect((await org.get(`/workflows/${id}`)).body).toMatchObject({ enabled: false })
    expect((await org.get(`/workflows/${id}`)).body['name']).not.toBe('Not even renamed')
  })

  test('does not enable a workflow that became invalid after it was saved', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    const plural = { pluralName: 'Projects', singularName: 'Project' }
    const { body: object } = await own.post<{ id: string }>('/objects', plural)
    const definition = {
      trigger: 'record/created',
      triggerConfig: { objectId: object.id },
      steps: noteOnDeal.steps,
    }
    const { id } = await makeWorkflow(admin, { definition })
    await own.delete(`/objects/${object.id}`)
    const reply = await own.patch(`/workflows/${id}`, { enabled: true })
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toContain('triggerConfig.objectId')
    expect((await own.get(`/workflows/${id}`)).body).toMatchObject({ object: null })
  })

  test('rejects the name of another workflow', async () => {
    const [one, other] = [await makeWorkflow(owner), await makeWorkflow(owner)]
    expectError(await org.patch(`/workflows/${one.id}`, { name: other.name }), 'name_taken')
  })

  test('changes nothing when the body is empty', async () => {
    const made = await makeWorkflow(owner)
    const path = `/workflows/${made.id}`
    const before = (await org.get(path)).body
    expect((await org.patch(path, {})).status).toBe(200)
    expect((await org.get(path)).body).toEqual(before)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x\u0000' }, 'name'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ definition: noteOnDeal }, 'definition'],
  ])('rejects %j', async (patch, path) => {
    const { id } = await makeWorkflow(owner)
    const reply = await org.patch(`/workflows/${id}`, patch)
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toEqual([path])
  })
})

interface Looked {
  trigger: string
  watch: string[] | null
  hasObject: boolean
  nextAt: string | null
  listens: boolean
}

/** The columns that triggers read, and whether events of the organization get entries for workflows. */
const lookedUp = ({ org: nr }: Org, id: string) =>
  service.ctx.db.one<Looked>(sql`
    select trigger, watch, obj is not null as "hasObject", nullif(next_at, 'infinity') as "nextAt",
      exists (select from event_listeners where org = ${nr} and listener = 'workflows') as listens
    from workflows where org = ${nr} and id = ${id}`)

describe('the data that triggers read', () => {
  test('follows the definition and whether the workflow is enabled', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    const { id } = await makeWorkflow(admin)
    const row = { trigger: 'record/updated', watch: ['stage'], hasObject: true, nextAt: null }
    expect(await lookedUp(own, id)).toEqual({ ...row, listens: false })
    await own.patch(`/workflows/${id}`, { enabled: true })
    expect(await lookedUp(own, id)).toEqual({ ...row, listens: true })
    const weekly = {
      trigger: 'schedule',
      triggerConfig: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
      steps: [{ key: 'done', type: 'stop', config: {} }],
    }
    await admin.put(`/workflows/${id}/definition`, { definition: weekly, basedOn: 1 })
    const scheduled = await lookedUp(own, id)
    expect(scheduled).toMatchObject({ trigger: 'schedule', watch: null, hasObject: false, listens: false })
    const at = new Date(scheduled.nextAt ?? 0)
    expect({ day: at.getUTCDay(), minute: at.getUTCMinutes() }).toEqual({ day: 1, minute: 0 })
    expect(at.getTime()).toBeGreaterThan(Date.now())
    await own.patch(`/workflows/${id}`, { enabled: false })
    expect(await lookedUp(own, id)).toMatchObject({ nextAt: null })
  })

  test('is deleted with the workflow', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    const { id } = await makeWorkflow(admin, { enabled: true })
    expect(await lookedUp(own, id)).toMatchObject({ listens: true })
    const other = await makeWorkflow(admin)
    expect(await admin.delete(`/workflows/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } })
    expect(await lookedUp(own, other.id)).toMatchObject({ listens: false })
  })
})
