// A request is sent only after a handshake with a valid certificate of a trusted authority.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { type Certificate, createAuthority, inDays, selfSigned } from '../../test/certificates.ts'
import { restoreMachineDate } from '../../test/start-time.ts'
import { egress, post, receiver } from './egress.fixture.ts'

restoreMachineDate()

const [authority, stranger] = [createAuthority(), createAuthority()]
setDefaultCACertificates([...getCACertificates('default'), authority.cert])

const names = ['localhost', '127.0.0.1']

test('a request to a server with a valid certificate is sent, and each step is timed', async () => {
  const { url, requests } = await receiver({ tls: authority.issue({ names }), host: 'localhost' })
  const outcome = await post(egress(), url, { body: '{"a":1}' })
  const ms = expect.any(Number)
  expect(outcome).toMatchObject({
    failure: null,
    response: { status: 200 },
    timings: { dnsMs: ms, connectMs: ms, tlsMs: ms, firstByteMs: ms, totalMs: ms },
  })
  expect(requests).toMatchObject([{ body: Buffer.from('{"a":1}') }])
})

test('a certificate may be for an address', async () => {
  const { url } = await receiver({ tls: authority.issue({ names }) })
  expect(await post(egress(), url)).toMatchObject({ failure: null, ip: '127.0.0.1' })
})

test('the certificate must be for the requested name, not for its address', async () => {
  const { port } = await receiver({ tls: authority.issue({ names: ['hooks.example'] }) })
  const client = egress({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  expect(await post(client, `https://hooks.example:${port}`)).toMatchObject({ failure: null })
  expect(await post(client, `https://hooks.example.:${port}`)).toMatchObject({ failure: null })
  expect(await post(client, `https://other.example:${port}`)).toMatchObject({ failure: 'tls' })
})

const expired = inDays(-1)
test.each<[string, Certificate, RegExp]>([
  [
    'expired',
    authority.issue({ names, from: inDays(-9), to: expired }),
    new RegExp(`^certificate expired on ${expired.toISOString().slice(0, 10)}: renew it$`),
  ],
  [
    'not valid yet',
    authority.issue({ names, from: inDays(1), to: inDays(9) }),
    /^certificate is not valid before .*:/,
  ],
  [
    'for other names',
    authority.issue({ names: ['one.example', 'two.example'] }),
    /^certificate is for other names \(one\.example, two\.example\): use one for this host$/,
  ],
  ['self-signed', selfSigned({ names }), /^certificate is self-signed/],
  ['of an unknown authority', stranger.issue({ names }), /^certificate is from an unknown authority/],
])('nothing is sent to a server whose certificate is %s', async (_, tls, words) => {
  const { url, count } = await receiver({ tls })
  const outcome = await post(egress(), url)
  expect(outcome).toMatchObject({ ip: '127.0.0.1', failure: 'tls', response: null })
  expect(outcome.message).toMatch(words)
  expect(count()).toBe(0)
})

test('plain HTTP on the port is a tls failure', async () => {
  const { port } = await receiver()
  const outcome = await post(egress(), `https://127.0.0.1:${port}`)
  expect(outcome).toMatchObject({ failure: 'tls', response: null })
  expect(outcome.message).toMatch(/does the server speak HTTPS on port/)
})

test('no private address is connected to if private addresses are not allowed', async () => {
  const { url, connections } = await receiver({ tls: authority.issue({ names }) })
  const outcome = await post(egress({ allowPrivate: false }), url)
  expect(outcome).toMatchObject({ failure: 'blocked_address', ip: null })
  expect(connections()).toBe(0)
})
