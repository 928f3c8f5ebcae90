// IPv6 clients count by their /64 network wherever addresses are counted.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildTestService } from './build-app.ts'

const LIMIT = 3

const addressIn = (network: string, n: number) => `${network}::${n}`

const counting = (rateLimitStore: 'memory' | 'database') =>
  buildTestService({
    rateLimitStore,
    rateLimitPerMinute: LIMIT,
    sessionRates: { user: LIMIT, organization: LIMIT, address: LIMIT },
  })
const usual = await buildTestService()
const services = { memory: await counting('memory'), database: await counting('database') }

describe.each(['memory', 'database'] as const)(
  'addresses of one IPv6 network, counted in %s',
  (rateLimitStore) => {
    const service = services[rateLimitStore]

    test.each([
      ['requests without a key', '/api/v1/objects', '2001:db8:0:1', 401],
      ['requests without a session', '/dashboard/api/session', '2001:db8:0:2', 401],
      ['public routes', '/.well-known/no-such-file', '2001:db8:0:3', 404],
    ])('share the rate limit of %s', async (_, url, network, status) => {
      const get = async (remoteAddress: string) =>
        (await service.inject({ method: 'GET', url, remoteAddress })).statusCode
      const own = []
      for (let n = 1; n <= LIMIT + 1; n++) own.push(await get(addressIn(network, n)))
      expect(own).toEqual([...Array<number>(LIMIT).fill(status), 429])
      expect(await get(addressIn(`${network}9`, 1))).toBe(status)
    })
  },
)

describe('wrong passwords', () => {
  test('from one IPv6 network count together, as from one address', async () => {
    const email = 'no-one@networks.example.com'
    const guess = async (n: number) =>
      (
        await usual.inject({
          method: 'POST',
          url: '/dashboard/api/sign-in',
          remoteAddress: addressIn('2001:db8:0:4', n),
          payload: { email, password: 'wrong horse battery' },
        })
      ).statusCode
    const statuses = []
    for (let n = 1; n <= 11; n++) statuses.push(await guess(n))
    expect(statuses.at(-1)).toBe(429)
    const places = await usual.ctx.directory.many<{ address: string }>(
      sql`
        select address from sign_in_attempts
        where account = sha256(convert_to(${email}, 'UTF8')) and address <> ''`,
    )
    expect(places.map(({ address }) => address)).toEqual(['2001:db8:0:4::/64'])
  })
})
