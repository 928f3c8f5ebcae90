import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { describe, expect, test } from 'vitest'
import { deliveryHeaders, signatureOf } from './signature.ts'

test.each([
  {
    // The example of the Standard Webhooks libraries.
    secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
    id: 'msg_loFOjxBNrRLzqYUf',
    timestamp: 1731705121,
    body: '{"event_type":"ping","data":{"success":true}}',
    signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  },
  {
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    id: '0198c0de-0000-7000-8000-000000000001',
    timestamp: 1700000000,
    body: '{"id":"0198c0de-0000-7000-8000-000000000001","type":"record.created"}',
    signature: 'v1,T64Rhmml659Dfos54AlhrPMZXhti8PJYTdOMkJreU5I=',
  },
])('$id gets the same signature as from other implementations', ({ secret, signature, ...signed }) => {
  expect(signatureOf({ secrets: [secret], ...signed })).toBe(signature)
})

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const [newer, older, foreign] = [newSecret(), newSecret(), newSecret()]
// Both libraries parse what they verified as JSON.
const jsonBody = fc.json({ noUnicodeString: false }).filter((text) => text.isWellFormed())

describe('a delivery', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const headersOf = (body: string, secrets = [newer, older]) =>
    deliveryHeaders({ secrets, id: 'event', timestamp: now(), body, own: [] })

  test.each([
    ['standardwebhooks', (secret: string) => new Standard(secret)],
    ['svix', (secret: string) => new Svix(secret)],
  ])('is verified by %s with the new and the old secret', (_, open) => {
    fc.assert(
      fc.property(jsonBody, (body) => {
        const headers = headersOf(body)
        for (const secret of [newer, older]) expect(() => open(secret).verify(body, headers)).not.toThrow()
        expect(() => open(foreign).verify(body, headers)).toThrow()
        expect(() => open(newer).verify(`${body} `, headers)).toThrow()
      }),
    )
  })

  test('is verified with only its Svix headers', () => {
    const headers = Object.entries(headersOf('{}')).filter(([name]) => name.startsWith('svix-'))
    expect(headers).toHaveLength(3)
    expect(() => new Svix(newer).verify('{}', Object.fromEntries(headers))).not.toThrow()
  })

  test("has the endpoint's own headers, which replace no header of the service", () => {
    const own = [
      { name: 'X-Team', value: 'sales' },
      { name: 'User-Agent', value: 'other' },
    ]
    const headers = deliveryHeaders({ secrets: [newer], id: 'event', timestamp: 1, body: '', own })
    expect(headers).toMatchObject({
      'x-team': 'sales',
      'user-agent': 'Rapport-Webhooks/1',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'webhook-id': 'event',
      'webhook-timestamp': '1',
    })
    expect(Object.keys(headers)).not.toContain('User-Agent')
  })
})
