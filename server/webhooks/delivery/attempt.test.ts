import { createHash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { ATTEMPT_TIMEOUT_MS, RESPONSE_BYTES_MAX } from '../../../contract/webhook-states.ts'
import type { EgressOutcome, EgressRequest } from '../../http/egress/exchange.ts'
import type { Egress } from '../../http/egress.ts'
import { createSecretBox } from '../../secrets/box.ts'
import { newSecret, openTarget, sealHeaders, sealSecret, type WebhookTarget } from '../target.ts'
import { sendAttempt } from './attempt.ts'

const URL = 'https://hooks.example.com/crm'
const EVENT = '0198c0de-0000-7000-8000-000000000001'
const BODY = `{"id":"${EVENT}","type":"record.created"}`
// The packages that verify signatures accept only the current time.
const NOW = new Date()
const secret = newSecret()
const timings = { dnsMs: 3, connectMs: 21, tlsMs: 40, firstByteMs: 60, totalMs: 61 }

const answer = (status: number, headers: Record<string, string | string[]> = {}): EgressOutcome => ({
  ip: '203.0.113.7',
  timings,
  response: { status, headers, body: Buffer.from('thanks'), isTruncated: false },
  failure: null,
  message: null,
})

/** A client that records its requests. */
function receiver(outcome: EgressOutcome) {
  const requests: EgressRequest[] = []
  const egress: Egress = {
    send: async (request) => {
      requests.push(request)
      return outcome
    },
    check: async () => undefined,
    close: async () => undefined,
  }
  return { requests, ctx: { egress, clock: { now: () => NOW } } }
}

const target = (keys: Partial<NonNullable<WebhookTarget['keys']>> = {}): WebhookTarget => ({
  url: URL,
  keys: { secrets: [secret], headers: [], ...keys },
})

const sending = { event: EVENT, body: BODY }

describe('a request', () => {
  test('contains the body, is signed with every secret, and has the limits of attempts', async () => {
    const { requests, ctx } = receiver(answer(204))
    const previous = newSecret()
    await sendAttempt(ctx, { target: target({ secrets: [secret, previous] }), ...sending })
    expect(requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: URL,
        body: BODY,
        timeoutMs: ATTEMPT_TIMEOUT_MS,
        responseBytesMax: RESPONSE_BYTES_MAX,
      }),
    ])
    for (const one of [secret, previous])
      expect(new Webhook(one).verify(BODY, requests[0]?.headers ?? {})).toEqual(JSON.parse(BODY))
  })

  test('contains the values of custom headers; the stored attempt masks them', async () => {
    const { requests, ctx } = receiver(answer(204))
    const headers = [{ name: 'X-Api-Key', value: 'hunter2' }]
    const attempt = await sendAttempt(ctx, { target: target({ headers }), ...sending })
    expect(Object.values(requests[0]?.headers ?? {})).toContain('hunter2')
    expect(JSON.stringify(attempt)).not.toContain('hunter2')
    const sent = Object.entries(requests[0]?.headers ?? {})
    expect(attempt.requestHeaders).toEqual(
      Object.fromEntries(sent.map(([name, value]) => [name, value === 'hunter2' ? '••••' : value])),
    )
  })

  test('gets the signal that can abort it', async () => {
    const { requests, ctx } = receiver(answer(204))
    const { signal } = new AbortController()
    await sendAttempt(ctx, { target: target(), ...sending, signal })
    expect(requests[0]?.signal).toBe(signal)
  })
})

describe('the result of an attempt', () => {
  test('is a success with all details for a 2xx', async () => {
    const { ctx, requests } = receiver(answer(201, { server: 'test' }))
    expect(await sendAttempt(ctx, { target: target(), ...sending })).toEqual({
      startedAt: NOW,
      url: URL,
      requestHeaders: requests[0]?.headers,
      ip: '203.0.113.7',
      status: 201,
      responseHeaders: { server: 'test' },
      responseBody: Buffer.from('thanks'),
      isTruncated: false,
      failure: null,
      message: null,
      timings,
    })
  })

  test.each([
    [200, {}, null, null],
    [299, {}, null, null],
    [
      300,
      {},
      'redirect',
      'responded with 300 Multiple Choices: redirects are not followed, so enter the final URL',
    ],
    [
      302,
      { location: 'http://10.0.0.1/' },
      'redirect',
      'responded with 302 Found and redirects to http://10.0.0.1/: redirects are not followed, so enter the final URL',
    ],
    [
      308,
      { location: ['https://a.example', 'https://b.example'] },
      'redirect',
      'responded with 308 Permanent Redirect and redirects to https://a.example: redirects are not followed, so enter the final URL',
    ],
    [404, {}, 'status', 'responded with 404 Not Found: is the path of the URL right?'],
    [410, {}, 'status', 'responded with 410 Gone: the receiver wants no more events'],
    [500, {}, 'status', 'responded with 500 Internal Server Error: check the receiver’s log'],
    [599, {}, 'status', 'responded with 599: check the receiver’s log'],
    [799, {}, 'status', 'responded with 799'],
  ] as const)('%d %j: %s', async (status, headers, failure, message) => {
    const { ctx } = receiver(answer(status, { ...headers } as Record<string, string | string[]>))
    expect(await sendAttempt(ctx, { target: target(), ...sending })).toMatchObject({
      status,
      failure,
      message,
    })
  })

  test('contains only the start of a long redirect URL', async () => {
    const { ctx } = receiver(answer(301, { location: `https://example.com/${'x'.repeat(10_000)}` }))
    const { message } = await sendAttempt(ctx, { target: target(), ...sending })
    expect(message?.length).toBeLessThan(400)
  })

  test('is a failure for a network error, also after part of the response', async () => {
    const late = { ...answer(200), failure: 'timeout', message: 'no complete response within 15 s' } as const
    const nothing = { ...late, ip: null, response: null, failure: 'refused', message: 'refused' } as const
    expect(await sendAttempt(receiver(late).ctx, { target: target(), ...sending })).toMatchObject({
      status: 200,
      responseBody: Buffer.from('thanks'),
      failure: 'timeout',
      message: 'no complete response within 15 s',
    })
    expect(await sendAttempt(receiver(nothing).ctx, { target: target(), ...sending })).toMatchObject({
      ip: null,
      status: null,
      responseHeaders: null,
      responseBody: null,
      failure: 'refused',
    })
  })
})

describe('sealed secrets and headers', () => {
  const key = (name: string) => createHash('sha256').update(name).digest()
  const [box, other] = [createSecretBox([key('a')]), createSecretBox([key('b')])]
  const ref = { org: 7, id: '0198c0de-0000-7000-8000-00000000000a' }
  const own = [{ name: 'X-Api-Key', value: 'hunter2' }]
  const previous = newSecret()
  const endpoint = {
    ...ref,
    url: URL,
    secret: sealSecret(box, ref, secret),
    previousSecret: sealSecret(box, ref, previous),
    headers: sealHeaders(box, ref, own),
  }

  test('are decrypted for signing and sending, the newest secret first', () => {
    expect(openTarget(box, endpoint)).toEqual({
      url: URL,
      keys: { secrets: [secret, previous], headers: own },
    })
    expect(openTarget(box, { ...endpoint, previousSecret: null, headers: null })).toEqual(target())
  })

  test('can be decrypted only for their endpoint', () => {
    expect(openTarget(box, { ...endpoint, org: 8 }).keys).toBeNull()
    expect(
      openTarget(box, { ...endpoint, secret: sealHeaders(box, ref, own) ?? Buffer.of() }).keys,
    ).toBeNull()
  })

  test('leave out a previous secret whose key is missing', () => {
    const old = { ...endpoint, previousSecret: sealSecret(other, ref, previous) }
    expect(openTarget(box, old).keys?.secrets).toEqual([secret])
  })

  test('fail the attempt without a request when the key is missing, and it names the reason', async () => {
    for (const unreadable of [
      { ...endpoint, secret: sealSecret(other, ref, secret) },
      { ...endpoint, headers: sealHeaders(other, ref, own) },
    ]) {
      const { requests, ctx } = receiver(answer(204))
      const attempt = await sendAttempt(ctx, { target: openTarget(box, unreadable), ...sending })
      expect(attempt).toMatchObject({ url: URL, status: null, failure: 'unreadable_secret' })
      expect(attempt.message).toContain('Rotate the secret')
      expect(requests).toEqual([])
    }
  })
})
