// Tests the receiver and the certificates of other tests with the client of Node.
import { once } from 'node:events'
import { get } from 'node:https'
import { expect, test } from 'vitest'
import { type Certificate, createAuthority, inDays, selfSigned } from './certificates.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const start = (tls?: Certificate): Promise<Receiver> => startReceiver(tls ? { tls, host: 'localhost' } : {})

test('requests are recorded unchanged, and answered as configured', async () => {
  const receiver = await start()
  receiver.answer((request, count) => ({
    status: 201,
    headers: { 'x-count': `${count}` },
    body: request.path,
  }))
  const [answer] = await Promise.all([
    fetch(`${receiver.url}/hook?a=1`, { method: 'POST', body: 'söme' }),
    receiver.received(1),
  ])
  expect([answer.status, answer.headers.get('x-count'), await answer.text()]).toEqual([201, '1', '/hook?a=1'])
  expect(receiver.requests).toMatchObject([
    { method: 'POST', path: '/hook?a=1', body: Buffer.from('söme'), connection: 1 },
  ])
})

const authority = createAuthority()
const statusOf = async (url: string) => {
  const [answer] = await once(get(url, { ca: authority.cert, agent: false }), 'response')
  return answer.resume().statusCode
}

test('a client that trusts the authority accepts its certificate', async () => {
  const { url } = await start(authority.issue({ names: ['localhost', '127.0.0.1'] }))
  expect(await statusOf(url)).toBe(200)
})

test.each([
  ['CERT_HAS_EXPIRED', authority.issue({ names: ['localhost'], from: inDays(-9), to: inDays(-1) })],
  ['CERT_NOT_YET_VALID', authority.issue({ names: ['localhost'], from: inDays(1), to: inDays(9) })],
  ['ERR_TLS_CERT_ALTNAME_INVALID', authority.issue({ names: ['other.example'] })],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', selfSigned({ names: ['localhost'] })],
])('the client refuses the certificate with %s', async (code, certificate) => {
  const { url } = await start(certificate)
  await expect(statusOf(url)).rejects.toMatchObject({ code })
})
