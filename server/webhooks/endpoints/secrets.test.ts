import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { ROTATION_GRACE_HOURS } from '../../../contract/webhook-states.ts'
import type { Endpoint, EndpointSecret } from '../../../contract/webhooks.ts'
import { createSecretBox } from '../../secrets/box.ts'
import { expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { openTarget, sealHeaders, sealSecret } from '../target.ts'
import { getEndpoint } from './store.ts'

const service = await sharedTestService()
const { db } = service.ctx
const PATH = '/webhooks/endpoints'
const FORM = /^whsec_[A-Za-z0-9+/]{43}=$/

async function world() {
  const org = await service.org()
  const olivia = await org.member('owner')
  const input = { url: 'https://e.com', headers: [{ name: 'X-Key', value: 'hunter2' }] }
  const { body } = await olivia.post<Endpoint>(PATH, input)
  const path = `${PATH}/${body.id}`
  return {
    org: org.org,
    olivia,
    id: body.id,
    path,
    created: body,
    read: () => olivia.get<EndpointSecret>(`${path}/secret`),
    rotate: () => olivia.post<EndpointSecret>(`${path}/secret/rotate`),
    signing: async () =>
      openTarget(service.ctx.secrets, await getEndpoint(db, org.org, body.id)).keys?.secrets,
  }
}

/** Stored responses for Idempotency-Keys. */
const storedAnswers = (org: number) =>
  db.many<{ row: string }>(sql`select a::text as row from idempotent_answers a where org = ${org}`)

test('stored responses for an Idempotency-Key encrypt secrets and headers, and are repeated unchanged', async () => {
  const org = await service.org()
  const input = { url: 'https://e.com', headers: [{ name: 'X-Key', value: 'hunter2' }] }
  const key = { 'idempotency-key': 'make' }
  const made = await org.post<Endpoint>(PATH, input, key)
  expect([made.status, made.body.headers]).toEqual([201, input.headers])
  const path = `${PATH}/${made.body.id}`
  const edit = () => org.patch<Endpoint>(path, { description: 'x' }, { 'idempotency-key': 'edit' })
  const rotate = () =>
    org.post<EndpointSecret>(`${path}/secret/rotate`, undefined, { 'idempotency-key': 'rotate' })
  const [edited, rotated] = [await edit(), await rotate()]
  const stored = JSON.stringify(await storedAnswers(org.org))
  for (const hidden of ['hunter2', rotated.body.secret, 'whsec_']) expect(stored).not.toContain(hidden)
  for (const [first, again] of [
    [made, await org.post(PATH, input, key)],
    [edited, await edit()],
    [rotated, await rotate()],
  ] as const) {
    expect(again).toMatchObject({ status: first.status, body: first.body })
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
    expect(again.headers.etag).toBe(first.headers.etag)
  }
  expectError(await org.post(PATH, { url: 'https://other.com' }, key), 'idempotency_conflict')
  expect((await org.get<EndpointSecret>(`${path}/secret`)).body).toEqual(rotated.body)
})

const strangersBox = createSecretBox([createHash('sha256').update('another key').digest()])

describe('GET /webhooks/endpoints/:endpointId/secret', () => {
  test('returns the secret, which is different for each endpoint', async () => {
    const [one, other] = [await world(), await world()]
    const { status, body } = await one.read()
    expect([status, body]).toEqual([200, { secret: expect.stringMatching(FORM), previousUntil: null }])
    expect((await one.read()).body).toEqual(body)
    expect((await other.read()).body.secret).not.toBe(body.secret)
    expect(await one.signing()).toEqual([body.secret])
  })

  test('list, read, change and test send do not return it; secrets and headers are stored encrypted', async () => {
    const { org, olivia, path, id, read } = await world()
    const { secret } = (await read()).body
    const texts = [
      await olivia.get(PATH),
      await olivia.get(path),
      await olivia.patch(path, { description: 'x' }),
      await olivia.post(`${path}/test`, { type: 'record.created' }),
    ].map(({ body }) => JSON.stringify(body))
    for (const text of texts) expect(text).not.toContain(secret)
    const row = await db.one<{ stored: string; shown: string }>(sql`
      select encode(secret || headers, 'escape') as stored, (w.*)::text as shown from webhook_endpoints w
      where org = ${org} and id = ${id}`)
    for (const hidden of [secret, secret.slice('whsec_'.length), 'hunter2'])
      expect(`${row.stored} ${row.shown}`).not.toContain(hidden)
  })
})

describe('POST /webhooks/endpoints/:endpointId/secret/rotate', () => {
  test('creates a new secret; the previous secret signs too until it expires', async () => {
    const { org, id, read, rotate, signing } = await world()
    const { secret: old } = (await read()).body
    const rotated = await rotate()
    expect(rotated.status).toBe(200)
    const { secret, previousUntil } = rotated.body
    expect(secret).toMatch(FORM)
    const hours = (Date.parse(previousUntil ?? '') - Date.now()) / 3_600_000
    expect(Math.abs(hours - ROTATION_GRACE_HOURS)).toBeLessThan(0.1)
    expect((await read()).body).toEqual(rotated.body)
    expect(await signing()).toEqual([secret, old])
    await db.run(sql`
      update webhook_endpoints set previous_secret_until = now() where org = ${org} and id = ${id}`)
    expect(await signing()).toEqual([secret])
    expect((await read()).body).toEqual({ secret, previousUntil: null })
  })

  test('leaves the newest two secrets signing when it runs again before the expiry', async () => {
    const { rotate, signing } = await world()
    const [second, third] = [await rotate(), await rotate()]
    expect(await signing()).toEqual([third.body.secret, second.body.secret])
  })

  test('leaves the last two secrets after many concurrent rotations', async () => {
    const { rotate, signing, read } = await world()
    const all = (await Promise.all(Array.from({ length: 4 }, rotate))).map(({ body }) => body.secret)
    const [current, previous] = (await signing()) ?? []
    expect(current).toBe((await read()).body.secret)
    expect(all).toEqual(expect.arrayContaining([current, previous]))
  })
})

describe('when secrets are encrypted with a key that the installation does not have', () => {
  async function lose({ org, id }: { org: number; id: string }) {
    const ref = { org, id }
    const headers = sealHeaders(strangersBox, ref, [{ name: 'X-Key', value: 'hunter2' }])
    await db.run(sql`
      update webhook_endpoints set secret = ${sealSecret(strangersBox, ref, 'whsec_AAAA')}, headers = ${headers}
      where org = ${org} and id = ${id}`)
  }

  test('endpoints are returned with areSecretsReadable false, and a test send fails', async () => {
    const lost = await world()
    await lose(lost)
    const { olivia, path, created } = lost
    const shown = await olivia.get(path)
    expect([shown.status, shown.body]).toEqual([200, { ...created, headers: [], areSecretsReadable: false }])
    expect((await olivia.get(PATH)).status).toBe(200)
    expectError(await lost.read(), 'unreadable_secret')
    const { body } = await olivia.post(`${path}/test`, { type: 'record.created' })
    expect(body).toMatchObject({ state: 'failed', lastFailure: 'unreadable_secret', lastStatus: null })
  })

  test('a rotation and new headers make the endpoint work; the lost secret does not sign', async () => {
    const lost = await world()
    await lose(lost)
    const { secret, previousUntil } = (await lost.rotate()).body
    expect(previousUntil).toBeNull()
    expect((await lost.olivia.get(lost.path)).body).toMatchObject({ areSecretsReadable: false })
    const headers = [{ name: 'X-Key', value: 'hunter3' }]
    const patched = await lost.olivia.patch(lost.path, { headers })
    expect(patched.body).toMatchObject({ areSecretsReadable: true, headers })
    expect(await lost.signing()).toEqual([secret])
  })
})
