import { Writable } from 'node:stream'
import Fastify from 'fastify'
import pino from 'pino'
import { expect, test } from 'vitest'
import { logAccess } from './access-log.ts'
import type { App } from './request.ts'

const ORGANIZATION = '00000000-0000-7000-8000-000000000001'
const RECORD = '00000000-0000-7000-8000-000000000002'
const KEY = '00000000-0000-7000-8000-000000000003'
const USER = '00000000-0000-7000-8000-000000000004'

const lines: Record<string, unknown>[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    const { level: _level, ...line } = JSON.parse(String(chunk))
    lines.push(line)
    done()
  },
})

function buildApp(): App {
  const app = Fastify({ genReqId: () => 'the-id' }) as unknown as App
  logAccess(app, pino({ base: null, timestamp: false }, stream))
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    const { key, user } = request.headers
    const caller = { orgId: ORGANIZATION, userId: USER, keyId: key ? KEY : null }
    if (key || user) Object.assign(request, { caller })
    done()
  })
  for (const path of ['/healthz', '/objects/:objectId/records/:recordId', '/invitations/:token'])
    app.get(path, async () => ({ done: true }))
  return app
}

async function logged(url: string, headers: Record<string, string> = {}) {
  const app = buildApp()
  await app.inject({ url, headers, remoteAddress: '198.51.100.7' })
  await app.close()
  return lines.splice(0).map(({ milliseconds, ...line }) => {
    expect(milliseconds).toEqual(expect.any(Number))
    return line
  })
}

const LINE = {
  ...{ msg: 'access', requestId: 'the-id', method: 'GET', status: 200, address: '198.51.100.7' },
}

test('a line names the route, the ids in it, the caller and the address', async () => {
  const url = `/objects/companies/records/${RECORD}?filter[email]=ada@example.com`
  expect(await logged(url, { key: 'yes' })).toEqual([
    {
      ...LINE,
      route: '/objects/:objectId/records/:recordId',
      ids: { recordId: RECORD },
      organization: ORGANIZATION,
      key: KEY,
    },
  ])
  expect(await logged(url, { user: 'yes' })).toMatchObject([{ organization: ORGANIZATION, user: USER }])
})

test('a line contains no tokens, no query and no unknown path', async () => {
  expect(await logged('/invitations/s3cret')).toEqual([{ ...LINE, route: '/invitations/:token' }])
  expect(await logged('/nowhere/ada@example.com')).toEqual([{ ...LINE, route: 'none', status: 404 }])
})

test('successful probes are not logged', async () => {
  expect(await logged('/healthz')).toEqual([])
})
