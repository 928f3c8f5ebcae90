// Tests the guarded client with correct and with faulty receivers.
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../test/receiver.ts'
import { egress, post, receiver } from './egress/egress.fixture.ts'

const HELLO = 'HTTP/1.1 200 OK\r\n'

describe('a good receiver', () => {
  test('gets the request unchanged, and its response is returned', async () => {
    const { url, requests, answer } = await receiver()
    answer({ status: 201, headers: { 'x-one': 'a', 'x-two': ['b', 'c'] }, body: 'taken' })
    const body = '{"name":"Zoë 🦊"}'
    const outcome = await post(egress(), `${url}/hook?a=1#part`, { body, headers: { 'webhook-id': 'one' } })
    expect(requests).toMatchObject([
      { method: 'POST', path: '/hook?a=1', body: Buffer.from(body), headers: { 'webhook-id': 'one' } },
    ])
    expect(outcome).toMatchObject({
      ip: '127.0.0.1',
      failure: null,
      message: null,
      response: { status: 201, headers: { 'x-one': 'a', 'x-two': ['b', 'c'] }, isTruncated: false },
    })
    expect(outcome.response?.body).toEqual(Buffer.from('taken'))
  })

  test('has timings; a reused connection has no connection timings', async () => {
    const { url, connections } = await receiver({ host: 'localhost' })
    const client = egress()
    const first = await post(client, url)
    const ms = expect.any(Number)
    expect(first.timings).toEqual({ dnsMs: ms, connectMs: ms, tlsMs: null, firstByteMs: ms, totalMs: ms })
    // A connection becomes free shortly after its response: at the third request one certainly is.
    const later = [await post(client, url), await post(client, url), await post(client, url)].at(-1)
    expect(later?.timings).toEqual({
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: ms,
      totalMs: ms,
    })
    expect(later?.ip).toBe(first.ip)
    expect(connections()).toBeLessThan(4)
  })

  test('may answer without reading the body', async () => {
    const { url, answer } = await receiver()
    answer({ status: 204 })
    expect(await post(egress(), url)).toMatchObject({ response: { status: 204, body: Buffer.alloc(0) } })
  })

  test('may send early hints before its response', async () => {
    const { url, answer } = await receiver()
    const final = `${HELLO}content-length: 2\r\n\r\nok`
    answer({ kind: 'raw', bytes: `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${final}` })
    const outcome = await post(egress(), url)
    expect(outcome).toMatchObject({
      failure: null,
      response: { status: 200, headers: { 'content-length': '2' } },
    })
  })

  test('may end its response by closing the connection', async () => {
    const { url, answer } = await receiver()
    answer({ kind: 'raw', bytes: 'HTTP/1.0 200 OK\r\n\r\nuntil the end' })
    const outcome = await post(egress(), url)
    expect(outcome).toMatchObject({ failure: null, response: { body: Buffer.from('until the end') } })
  })

  test('may be on IPv6', async () => {
    const { url } = await receiver({ host: '::1' })
    expect(await post(egress(), url)).toMatchObject({ ip: '::1', failure: null })
  })

  test('is requested at its next address when nothing listens on the first', async () => {
    const { port } = await receiver()
    const both = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]
    const client = egress({ lookup: async () => both })
    expect(await post(client, `http://two.example:${port}`)).toMatchObject({ ip: '127.0.0.1', failure: null })
  })
})

describe('a connection that the receiver closed while it was idle', () => {
  test('is not a failure: the request is sent on another connection', async () => {
    const { url, resetConnections, count } = await receiver()
    const client = egress()
    await post(client, url)
    resetConnections()
    expect(await post(client, url)).toMatchObject({ failure: null, response: { status: 200 } })
    expect(count()).toBe(2)
  })

  test('is not a failure when it breaks between the last check and the write', async () => {
    const { url, resetConnections, count } = await receiver()
    const client = egress()
    for (let warm = 0; warm < 3; warm++) await post(client, url)
    // The client checks an idle connection again and writes in an immediate; this immediate runs first.
    setImmediate(resetConnections)
    const outcome = await post(client, url)
    expect(outcome).toMatchObject({ failure: null, response: { status: 200 } })
    expect(outcome.timings.connectMs).toEqual(expect.any(Number))
    expect(count()).toBe(4)
  })

  test('is a failure if the request may have been read', async () => {
    const { url, answer, count } = await receiver()
    const client = egress()
    for (let warm = 0; warm < 3; warm++) await post(client, url)
    answer({ kind: 'reset' })
    expect(await post(client, url)).toMatchObject({ failure: 'reset', response: null })
    expect(count()).toBe(4)
  })
})

describe('a bad receiver', () => {
  const bad: [string, Reply, object][] = [
    ['sends no response', { kind: 'reset' }, { failure: 'reset', message: /without a response/ }],
    [
      'resets the connection in the body',
      { kind: 'reset', after: `${HELLO}content-length: 9\r\n\r\nabc` },
      { failure: 'reset', message: /in the middle/, response: { status: 200, body: Buffer.from('abc') } },
    ],
    [
      'closes the connection in a chunk',
      { kind: 'raw', bytes: `${HELLO}connection: close\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc` },
      { failure: 'reset', message: /in the middle/, response: { status: 200 } },
    ],
    [
      'resets the connection in the headers',
      { kind: 'reset', after: `${HELLO}x-` },
      { failure: 'reset', response: null },
    ],
    [
      'uses another protocol',
      { kind: 'raw', bytes: 'SSH-2.0-OpenSSH_9.9\r\n' },
      { failure: 'invalid_response', message: /not valid HTTP: Expected HTTP/, response: null },
    ],
    [
      'changes the protocol',
      { kind: 'raw', bytes: 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n' },
      { failure: 'invalid_response', message: /bad upgrade/, response: null },
    ],
    [
      'sends one endless header',
      { kind: 'raw', bytes: `${HELLO}x: ${'y'.repeat(20_000)}` },
      { failure: 'invalid_response', message: /larger than 16 KiB/, response: null },
    ],
    [
      'sends an endless number of headers',
      { kind: 'raw', bytes: HELLO + 'x: 1234567890\r\n'.repeat(2000) },
      { failure: 'invalid_response', message: /larger than 16 KiB/, response: null },
    ],
  ]
  test.each(bad)('that %s', async (_, reply, { message, ...expected }: { message?: RegExp }) => {
    const { url, answer } = await receiver()
    answer(reply)
    const outcome = await post(egress(), url)
    expect(outcome).toMatchObject({ ip: '127.0.0.1', ...expected })
    expect(outcome.message).toMatch(message ?? /./)
  })

  test.each<[string, Reply, object | null]>([
    ['never answers', { kind: 'never' }, null],
    ['sends single bytes slowly', { kind: 'drip', everyMs: 20 }, { status: 200 }],
  ])('that %s: the request fails after the timeout', async (_, reply, response) => {
    const { url, answer } = await receiver()
    answer(reply)
    const outcome = await post(egress(), url, { timeoutMs: 300 })
    expect(outcome).toMatchObject({ ip: '127.0.0.1', failure: 'timeout', response })
    expect(outcome.message).toMatch(/^no complete response within 0.3 s/)
  })

  test('that sends 2 GB: reading stops at the limit', async () => {
    const { url, answer } = await receiver()
    answer({ kind: 'flood', bytes: 2 ** 31 })
    const outcome = await post(egress(), url, { responseBytesMax: 100_000 })
    expect(outcome).toMatchObject({ failure: null, response: { status: 200, isTruncated: true } })
    expect(outcome.response?.body).toHaveLength(100_000)
  })

  test.each([
    ['less than the limit', 99, false],
    ['exactly the limit', 100, false],
    ['more than the limit', 101, true],
  ])('that sends %s: only a larger response is truncated', async (_, length, isTruncated) => {
    const { url, answer } = await receiver()
    answer({ body: 'x'.repeat(length) })
    const { response, failure } = await post(egress(), url, { responseBytesMax: 100 })
    expect([failure, response?.isTruncated, response?.body.length]).toEqual([
      null,
      isTruncated,
      Math.min(length, 100),
    ])
  })

  test('that sends a gzip bomb: the body is not decompressed', async () => {
    const { url, answer } = await receiver()
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    answer({ headers: { 'content-encoding': 'gzip' }, body: bomb })
    const outcome = await post(egress(), url)
    expect(outcome.response?.body).toEqual(bomb)
  })

  test('that redirects: its response is returned, and no second request is sent', async () => {
    const [elsewhere, { url, answer }] = [await receiver(), await receiver()]
    answer({ status: 302, headers: { location: `${elsewhere.url}/latest/meta-data` } })
    expect(await post(egress(), url)).toMatchObject({
      failure: null,
      response: { status: 302, headers: { location: `${elsewhere.url}/latest/meta-data` } },
    })
    expect(elsewhere.count()).toBe(0)
  })

  test('that does not listen: the connection is refused', async () => {
    const closed = await receiver()
    await closed.close()
    const outcome = await post(egress(), closed.url).finally(() => closed.close().catch(() => undefined))
    expect(outcome).toMatchObject({ ip: null, failure: 'refused', response: null })
    expect(outcome.message).toBe(`connection refused: is the server listening on port ${closed.port}?`)
  })

  test('whose name does not resolve: the failure is dns', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
    const outcome = await post(egress({ lookup }), 'http://nowhere.example')
    expect(outcome).toMatchObject({ ip: null, failure: 'dns' })
    expect(outcome.message).toMatch(/^the name nowhere.example does not resolve/)
  })

  test('whose name servers are silent: the failure is dns', async () => {
    const lookup = () => new Promise<never>(() => undefined)
    const outcome = await post(egress({ lookup, connectTimeoutMs: 50 }), 'http://silent.example')
    expect(outcome).toMatchObject({
      failure: 'dns',
      message: expect.stringMatching(/did not resolve within/),
    })
  })

  test('that sends random bytes: there is an outcome, and the next request succeeds', async () => {
    const { url, answer } = await receiver()
    const client = egress()
    const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    const anyHttp = fc.array(
      fc.constantFrom(
        HELLO,
        'HTTP/1.1 103 x\r\n',
        'content-length: 5\r\n',
        'x: \0\r\n',
        '\r\n',
        'abc',
        '5\r\n',
        '-',
      ),
    )
    const anyAnswer = fc.oneof(
      anyBytes,
      anyHttp.map((lines) => Buffer.from(lines.join(''))),
    )
    await fc.assert(
      fc.asyncProperty(anyAnswer, async (bytes) => {
        answer({ kind: 'raw', bytes })
        const { failure, response } = await post(client, url)
        expect(failure !== null || response !== null).toBe(true)
        answer({})
        expect(await post(client, url)).toMatchObject({ failure: null, response: { status: 200 } })
      }),
      { numRuns: 50 },
    )
  })
})

describe('a request that ends early', () => {
  test('rejects with the reason when it is aborted', async () => {
    const { url, answer, received, requests } = await receiver()
    answer({ kind: 'never' })
    const client = egress()
    const controller = new AbortController()
    const { signal } = controller
    const sent = [post(client, url, { signal }), post(client, url, { signal })]
    await received(2)
    controller.abort(new Error('shutting down'))
    for (const one of sent) await expect(one).rejects.toThrow('shutting down')
    await expect(post(client, url, { signal })).rejects.toThrow('shutting down')
    expect(requests).toHaveLength(2)
  })

  test('sends nothing when its time is over before the connection is ready', async () => {
    const { port, count } = await receiver()
    const { promise: addresses, resolve } = Promise.withResolvers<{ address: string; family: number }[]>()
    const client = egress({ lookup: () => addresses })
    const outcome = await post(client, `http://slow.example:${port}`, { timeoutMs: 20 })
    expect(outcome).toMatchObject({ ip: null, failure: 'timeout', response: null })
    resolve([{ address: '127.0.0.1', family: 4 }])
    expect(await post(client, `http://slow.example:${port}`)).toMatchObject({ failure: null })
    expect(count()).toBe(1)
  })
})

describe('where private addresses are not allowed', () => {
  const strict = (...answers: string[]) =>
    egress({
      allowPrivate: false,
      lookup: async () => [
        { address: answers.length > 1 ? `${answers.shift()}` : `${answers[0]}`, family: 4 },
      ],
    })

  test.each([
    ['http://example.com', 'the URL must start with https://'],
    ['ftp://example.com', 'the URL must start with https://'],
    ['file:///etc/passwd', 'the URL must start with https://'],
    ['https://user:secret@example.com', 'must not contain a user name or password'],
    ['example.com', 'this is not a URL'],
    ['https://127.0.0.1/', '127.0.0.1 is an address of this machine'],
    ['https://2130706433/', '127.0.0.1 is an address of this machine'],
    ['https://[::1]/', '::1 is an address of this machine'],
    ['https://[::ffff:7f00:1]/', 'is an IPv4 address inside IPv6'],
    ['https://169.254.169.254/latest/meta-data', 'is a link-local address'],
    ['https://inside.example/', 'inside.example resolves to an address that is not public'],
  ])('rejects %s, and sends no request', async (url, words) => {
    const client = strict('10.0.0.1')
    const outcome = await post(client, url)
    expect(outcome).toMatchObject({ ip: null, failure: 'blocked_address', response: null })
    expect(outcome.message).toContain(words)
    expect(await client.check(url)).toBe(outcome.message)
  })

  test('refuses localhost by its address', async () => {
    const { port, connections } = await receiver()
    const client = egress({ allowPrivate: false })
    expect(await post(client, `https://localhost:${port}`)).toMatchObject({ failure: 'blocked_address' })
    expect(connections()).toBe(0)
  })

  test('refuses a name when any of its addresses is refused', async () => {
    const lookup = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '::1', family: 6 },
    ]
    const outcome = await post(egress({ allowPrivate: false, lookup }), 'https://mixed.example')
    expect(outcome).toMatchObject({ failure: 'blocked_address', ip: null })
  })

  test('refuses a name that resolves to a private address after it was accepted', async () => {
    const client = strict('8.8.8.8', '127.0.0.1')
    expect(await client.check('https://rebound.example')).toBeUndefined()
    expect(await post(client, 'https://rebound.example')).toMatchObject({ failure: 'blocked_address' })
  })

  test('accepts a name that does not resolve yet', async () => {
    const failing = async () => Promise.reject(new Error('none'))
    expect(
      await egress({ allowPrivate: false, lookup: failing }).check('https://soon.example'),
    ).toBeUndefined()
  })
})

describe('where private addresses are allowed', () => {
  test('accepts them and http, but no other protocols and no passwords', async () => {
    const client = egress()
    expect(await client.check('http://127.0.0.1:8080/hook')).toBeUndefined()
    expect(await client.check('ftp://127.0.0.1')).toBe('the URL must start with https:// or http://')
    expect(await client.check('http://me@127.0.0.1')).toContain('user name or password')
  })
})

test('a request looks up the name once, and connects to that address', async () => {
  const { port } = await receiver()
  let looks = 0
  const lookup = async () => [{ address: `127.0.0.${++looks}`, family: 4 }]
  expect(await post(egress({ lookup }), `http://pinned.example:${port}`)).toMatchObject({ ip: '127.0.0.1' })
  expect(looks).toBe(1)
})

test('a server that accepts connections and sends nothing fails after one timeout', async () => {
  const silent = createServer()
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const outcome = await post(egress({ connectTimeoutMs: 100 }), `https://127.0.0.1:${port}`)
  expect(outcome).toMatchObject({
    failure: 'timeout',
    message: expect.stringMatching(/no TLS handshake within/),
  })
  silent.close()
})
