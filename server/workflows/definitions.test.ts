import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { DEFINITION_STEPS_MAX, WORKFLOWS_MAX } from '../../contract/workflow-states.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { BROKEN_PATHS, broken, makeWorkflow, noteOnDeal, pathsOf } from './dashboard.fixture.ts'

const service = await sharedTestService()
const org = await service.org()
const [owner, member] = await org.members('owner', 'member')
const stranger = await (await service.org()).member('owner')

const stop = { key: 'done', type: 'stop', config: {} }
const stops: object = { trigger: 'manual', steps: [stop] }

interface Saved {
  version: number
  problems: { path: string }[]
}

describe('POST /workflows', () => {
  test('saves a draft with problems, but does not enable it', async () => {
    const body = { name: 'Draft', definition: broken }
    const refused = await owner.post('/workflows', { ...body, enabled: true })
    expectError(refused, 'validation_error')
    expect(pathsOf(refused)).toEqual(BROKEN_PATHS)
    expect(await owner.post('/workflows', body)).toMatchObject({
      status: 201,
      body: { enabled: false, version: 1 },
    })
  })

  test('can be created enabled', async () => {
    expect(await makeWorkflow(owner, { enabled: true })).toMatchObject({
      enabled: true,
      trigger: 'record/updated',
    })
  })

  test.each([
    ['nothing', undefined, ''],
    ['text', 'a', ''],
    ['an unknown trigger', { trigger: 'full moon', steps: [] }, 'trigger'],
    ['no list of steps', { trigger: 'manual', steps: {} }, 'steps'],
    ['a step without a key', { trigger: 'manual', steps: [{ type: 'stop', config: {} }] }, 'steps[0].key'],
    [
      'text that cannot be stored',
      { trigger: 'manual', steps: [{ ...stop, name: '\u0000' }] },
      'steps[0].name',
    ],
  ])('rejects %s as a definition', async (_, definition, path) => {
    const reply = await owner.post('/workflows', { name: 'Odd', definition })
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toContain(path === '' && definition === undefined ? 'definition' : path)
  })

  test.each(['name', 'description'])('rejects a %s that cannot be stored', async (field) => {
    const reply = await owner.post('/workflows', { name: 'Odd', definition: stops, [field]: 'a\u0000' })
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toEqual([field])
  })

  test('rejects more steps than the maximum', async () => {
    const steps = Array.from({ length: DEFINITION_STEPS_MAX + 1 }, (_, nr) => ({ ...stop, key: `k${nr}` }))
    expectError(
      await owner.post('/workflows', { name: 'Long', definition: { trigger: 'manual', steps } }),
      'validation_error',
    )
  })

  test('rejects a duplicate name, also for concurrent requests', async () => {
    const body = { name: 'Twice', definition: stops }
    const replies = await Promise.all([owner.post('/workflows', body), owner.post('/workflows', body)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    for (const reply of replies.filter(({ status }) => status === 409)) expectError(reply, 'name_taken')
  })

  test('accepts a name that another organization uses', async () => {
    await owner.post('/workflows', { name: 'Common', definition: stops })
    expect(await stranger.post('/workflows', { name: 'Common', definition: stops })).toMatchObject({
      status: 201,
    })
  })

  test('rejects more workflows than the maximum of an organization', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    await service.ctx.db.run(sql`
      insert into workflows (org, id, name, trigger)
      select ${own.org}, gen_random_uuid(), nr::text, 'manual' from generate_series(1, ${WORKFLOWS_MAX}::int) as nr`)
    expectError(await admin.post('/workflows', { name: 'One more', definition: stops }), 'limit_reached')
  })

  test('rejects members', async () => {
    expectError(await member.post('/workflows', { name: 'Mine', definition: stops }), 'insufficient_role')
  })
})

describe('PUT /workflows/:workflowId/definition', () => {
  const put = (id: string, body: object, who = owner) => who.put<Saved>(`/workflows/${id}/definition`, body)

  test('saves a version, and returns its problems', async () => {
    const { id } = await makeWorkflow(owner)
    const reply = await put(id, { definition: broken, basedOn: 1 })
    expect(reply).toMatchObject({ status: 200, body: { version: 2 } })
    expect(reply.body.problems.map(({ path }) => path)).toEqual(BROKEN_PATHS)
    expect((await org.get(`/workflows/${id}`)).body).toMatchObject({
      version: 2,
      trigger: 'manual',
      object: null,
    })
  })

  test('saves no version without a change', async () => {
    const { id } = await makeWorkflow(owner)
    expect((await put(id, { definition: noteOnDeal, basedOn: 1 })).body).toEqual({ version: 1, problems: [] })
  })

  test('rejects a change that is based on an older version', async () => {
    const { id } = await makeWorkflow(owner)
    await put(id, { definition: stops, basedOn: 1 })
    const late = await put(id, { definition: { trigger: 'manual', steps: [] }, basedOn: 1 })
    expectError(late, 'wrong_state')
    expect(late.body).toMatchObject({ details: { version: 2 } })
  })

  test('rejects one of two concurrent changes', async () => {
    const { id } = await makeWorkflow(owner)
    const bodies = ['a', 'b'].map((key) => ({
      definition: { trigger: 'manual', steps: [{ ...stop, key }] },
      basedOn: 1,
    }))
    const replies = await Promise.all(bodies.map((body) => put(id, body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('rejects a definition with problems for an enabled workflow', async () => {
    const { id } = await makeWorkflow(owner, { enabled: true })
    const refused = await put(id, { definition: broken, basedOn: 1 })
    expectError(refused, 'validation_error')
    expect(pathsOf(refused)).toEqual(BROKEN_PATHS)
    expect(await put(id, { definition: stops, basedOn: 1 })).toMatchObject({
      status: 200,
      body: { version: 2 },
    })
    expect((await org.get(`/workflows/${id}`)).body).toMatchObject({ enabled: true, version: 2 })
  })

  test('is allowed only for owners and admins of its organization', async () => {
    const { id } = await makeWorkflow(owner)
    const body = { definition: stops, basedOn: 1 }
    expectError(await put(id, body, member), 'insufficient_role')
    expectError(await put(id, body, stranger), 'not_found')
    expectError(await put('nonsense', body), 'not_found')
  })
})

interface Detail {
  version: number
  definition: { steps: unknown[] }
}

describe('versions', () => {
  test('can be listed, read and restored', async () => {
    const { id } = await makeWorkflow(owner)
    const nested = {
      trigger: 'manual',
      steps: [
        { key: 'each', type: 'for_each', config: { items: [1], as: 'one', steps: [stop] } },
        {
          key: 'fork',
          type: 'branch',
          config: {
            branches: [{ name: 'a', when: { left: 1, operator: 'isEmpty' }, steps: [{ ...stop, key: 'x' }] }],
            else: [{ ...stop, key: 'y' }],
          },
        },
      ],
    }
    await owner.put(`/workflows/${id}/definition`, { definition: nested, basedOn: 1 })
    const { body } = await member.get(`/workflows/${id}/versions`)
    const by = { id: owner.userId, name: 'Mia Member', email: owner.email }
    expect(body).toEqual({
      versions: [
        { version: 2, createdAt: expect.any(String), createdBy: by, steps: 5 },
        { version: 1, createdAt: expect.any(String), createdBy: by, steps: 1 },
      ],
      pagination: { total: 2, limit: 2, offset: 0 },
    })
    const first = await member.get<Detail>(`/workflows/${id}/definition?version=1`)
    expect(first.body).toMatchObject({ workflowId: id, version: 1, definition: noteOnDeal, problems: [] })
    expect((await member.get<Detail>(`/workflows/${id}/definition`)).body.version).toBe(2)

    expect((await owner.post(`/workflows/${id}/restore`, { version: 1 })).body).toEqual({
      version: 3,
      problems: [],
    })
    expect((await member.get<Detail>(`/workflows/${id}/definition`)).body).toMatchObject({
      version: 3,
      definition: noteOnDeal,
    })
    expect((await owner.post(`/workflows/${id}/restore`, { version: 1 })).body).toEqual({
      version: 3,
      problems: [],
    })
  })

  test('return 404 when they do not exist', async () => {
    const { id } = await makeWorkflow(owner)
    expectError(await member.get(`/workflows/${id}/definition?version=2`), 'not_found')
    expectError(await owner.post(`/workflows/${id}/restore`, { version: 7 }), 'not_found')
    expectError(await member.get(`/workflows/${id}/definition?version=0`), 'invalid_parameter')
    for (const path of ['definition', 'versions'])
      expectError(await stranger.get(`/workflows/${id}/${path}`), 'not_found')
    expectError(await stranger.post(`/workflows/${id}/restore`, { version: 1 }), 'not_found')
    expectError(await member.post(`/workflows/${id}/restore`, { version: 1 }), 'insufficient_role')
  })

  test('with problems cannot be restored while the workflow is enabled', async () => {
    const { id } = await makeWorkflow(owner, { definition: broken })
    await owner.put(`/workflows/${id}/definition`, { definition: stops, basedOn: 1 })
    await owner.patch(`/workflows/${id}`, { enabled: true })
    const refused = await owner.post(`/workflows/${id}/restore`, { version: 1 })
    expectError(refused, 'validation_error')
    expect(pathsOf(refused)).toEqual(BROKEN_PATHS)
  })
})

describe('DELETE /workflows/:workflowId', () => {
  test('also deletes versions and runs, open ones too', async () => {
    const { id } = await makeWorkflow(owner, { definition: stops, enabled: true })
    const { body: run } = await member.post<{ runId: string }>(`/workflows/${id}/run`, {})
    expect(await owner.delete(`/workflows/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } })
    expectError(await member.get(`/workflows/${id}`), 'not_found')
    expectError(await member.get(`/workflows/${id}/runs/${run.runId}`), 'not_found')
    expectError(await owner.delete(`/workflows/${id}`), 'not_found')
  })

  test('is allowed only for owners and admins of its organization', async () => {
    const { id } = await makeWorkflow(owner)
    expectError(await member.delete(`/workflows/${id}`), 'insufficient_role')
    expectError(await stranger.delete(`/workflows/${id}`), 'not_found')
    expect(await member.get(`/workflows/${id}`)).toMatchObject({ status: 200 })
  })
})

describe('POST /workflow-check', () => {
  test('returns no problems for the example of the guide', async () => {
    const guide = readFileSync(new URL('../../docs/guide/workflows.md', import.meta.url), 'utf8')
    const [, file = ''] = /^```json\n(.*?)^```/ms.exec(guide) ?? []
    const { name, enabled, ...definition } = JSON.parse(file)
    await owner.put('/workflow-secrets/ERP_TOKEN', { value: 'x' })
    const { body } = await member.post('/workflow-check', { definition })
    expect({ ...body, name, enabled }).toEqual({ problems: [], name: expect.any(String), enabled: true })
  })

  test('returns all problems, for any shape', async () => {
    const check = async (definition: unknown) => {
      const { body } = await member.post<Saved>('/workflow-check', { definition })
      return body.problems.map(({ path }) => path)
    }
    expect(await check(noteOnDeal)).toEqual([])
    expect(await check(broken)).toEqual(BROKEN_PATHS)
    expect(await check({ trigger: 'manual', steps: {} })).toEqual(['steps'])
    expect(await check(null)).toEqual([''])
  })
})
