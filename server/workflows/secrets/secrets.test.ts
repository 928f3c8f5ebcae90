import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { SECRETS_MAX } from '../../../contract/workflow-states.ts'
import { expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { makeWorkflow } from '../dashboard.fixture.ts'

const service = await sharedTestService()
const org = await service.org()
const [owner, member] = await org.members('owner', 'member')

const VALUE = 'erp-token-value-31'

const asking = (secret: string) => ({
  trigger: 'manual',
  steps: [
    {
      key: 'ask',
      type: 'http_request',
      config: { url: 'https://erp.example.com', headers: { authorization: `Bearer {{secrets.${secret}}}` } },
    },
  ],
})

describe('PUT /workflow-secrets/:name', () => {
  test('stores a value that is never returned, and replaces it', async () => {
    const first = await owner.put('/workflow-secrets/ERP_TOKEN', { value: VALUE })
    expect(first).toMatchObject({
      status: 200,
      body: { name: 'ERP_TOKEN', usedBy: [], updatedBy: { id: owner.userId }, updatedAt: expect.any(String) },
    })
    const admin = await org.member('admin')
    await admin.put('/workflow-secrets/ERP_TOKEN', { value: `${VALUE}-2` })
    const list = await owner.get<{ secrets: object[] }>('/workflow-secrets')
    expect(list.body.secrets).toMatchObject([{ name: 'ERP_TOKEN', updatedBy: { id: admin.userId } }])
    expect(JSON.stringify([first.body, list.body])).not.toContain(VALUE)
    const row = await service.ctx.db.one<{ value: Buffer }>(
      sql`select value from workflow_secrets where org = ${org.org} and name = 'ERP_TOKEN'`,
    )
    expect(row.value.includes(VALUE)).toBe(false)
    expect(service.ctx.secrets.open(row.value, `workflow_secret:${org.org}:ERP_TOKEN`)).toBe(`${VALUE}-2`)
  })

  test.each([
    ['lower', { value: 'x' }, 'invalid_parameter'],
    ['A-B', { value: 'x' }, 'invalid_parameter'],
    ['OK', {}, 'validation_error'],
    ['OK', { value: '' }, 'validation_error'],
    ['OK', { value: 'a\u0000' }, 'validation_error'],
    ['OK', { value: 'x'.repeat(4001) }, 'validation_error'],
  ] as const)('rejects %s with %j', async (name, body, code) => {
    expectError(await owner.put(`/workflow-secrets/${name}`, body), code)
  })

  test('rejects a new secret over the limit, but still replaces existing ones', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    for (let nr = 0; nr < SECRETS_MAX; nr++) await admin.put(`/workflow-secrets/S${nr}`, { value: 'x' })
    expectError(await admin.put('/workflow-secrets/ONE_MORE', { value: 'x' }), 'limit_reached')
    expect(await admin.put('/workflow-secrets/S0', { value: 'y' })).toMatchObject({ status: 200 })
  })
})

describe('GET /workflow-secrets', () => {
  test('returns the workflows that use each secret', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    for (const name of ['TOKEN', 'TOKEN_2']) await admin.put(`/workflow-secrets/${name}`, { value: 'x' })
    const { id, name } = await makeWorkflow(admin, { definition: asking('TOKEN_2') })
    const { body } = await admin.get('/workflow-secrets')
    expect(body).toMatchObject({
      secrets: [
        { name: 'TOKEN', usedBy: [] },
        { name: 'TOKEN_2', usedBy: [{ id, name }] },
      ],
    })
  })

  test('is allowed only for owners and admins', async () => {
    expectError(await member.get('/workflow-secrets'), 'insufficient_role')
  })
})

test('an API key sets a secret once per Idempotency-Key, and can never read it', async () => {
  const key = await org.keyWith(['workflows:manage'])
  const headers = { authorization: `Bearer ${key}` }
  const put = (value: string) =>
    service.inject({
      method: 'PUT',
      url: '/api/v1/workflow-secrets/BY_KEY',
      headers: { ...headers, 'idempotency-key': 'set BY_KEY', 'content-type': 'application/json' },
      payload: JSON.stringify({ value }),
    })
  const [first, repeat, other] = [await put(VALUE), await put(VALUE), await put(`${VALUE}-2`)]
  expect([first.statusCode, repeat.statusCode, other.statusCode]).toEqual([200, 200, 409])
  expect(repeat.headers['idempotent-replayed']).toBe('true')
  const { body } = await org.get<{ secrets: { name: string }[] }>('/workflow-secrets', headers)
  expect(body.secrets.map(({ name }) => name)).toContain('BY_KEY')
  expect(JSON.stringify([first.payload, repeat.payload, other.payload, body])).not.toContain(VALUE)
  const kept = await service.ctx.db.one<{ kept: string }>(
    sql`select string_agg(body, '') as kept from idempotent_answers where org = ${org.org}`,
  )
  expect(kept.kept).not.toContain(VALUE)
})

describe('DELETE /workflow-secrets/:name', () => {
  test('deletes the secret, and workflows that use it cannot be enabled', async () => {
    await owner.put('/workflow-secrets/REMOVED', { value: 'x' })
    const { id } = await makeWorkflow(owner, { definition: asking('REMOVED') })
    expect(await owner.delete('/workflow-secrets/REMOVED')).toMatchObject({
      status: 200,
      body: { name: 'REMOVED', deleted: true },
    })
    expectError(await owner.delete('/workflow-secrets/REMOVED'), 'not_found')
    expectError(await owner.patch(`/workflows/${id}`, { enabled: true }), 'validation_error')
  })

  test('returns 404 for a secret of another organization', async () => {
    await owner.put('/workflow-secrets/OURS', { value: 'x' })
    const stranger = await (await service.org()).member('owner')
    expectError(await stranger.delete('/workflow-secrets/OURS'), 'not_found')
    expect((await stranger.get('/workflow-secrets')).body['secrets']).toEqual([])
  })
})
