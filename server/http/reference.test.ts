import { runInNewContext, Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { sharedTestService } from '../test/shared-service.ts'

const { inject } = await sharedTestService()
const FOREIGN = /(?:https?:)?\/\/[\w.-]+/

describe('GET /docs', () => {
  test.each(['/docs', '/docs/start.js'])('%s contains no other host', async (url) => {
    const { statusCode, payload } = await inject({ url })
    expect(statusCode).toBe(200)
    expect(payload).not.toMatch(FOREIGN)
  })

  test.each(['/docs', '/docs/start.js', '/docs/scalar.js'])(
    '%s has a policy that allows no requests to other hosts',
    async (url) => {
      const { headers } = await inject({ url })
      const policy = String(headers['content-security-policy']).split('; ')
      expect(policy[0]).toBe("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("connect-src 'self'")
      // Only 'self', data: and inline styles are allowed.
      expect(policy.join(' ')).not.toMatch(/[.*]|https?:|unsafe-eval/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    },
  )

  test('turns off options that would send requests to other hosts', async () => {
    const { payload } = await inject({ url: '/docs/start.js' })
    const [, json = ''] = /^Scalar\.createApiReference\('#app', (.*)\)\n/.exec(payload) ?? []
    expect(JSON.parse(json)).toMatchObject({
      url: '/api/v1/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      agent: { disabled: true },
      mcp: { disabled: true },
    })
  })

  test('renders the API document of the service in the element of the page', async () => {
    const [page, scalar, start] = [
      await inject({ url: '/docs' }),
      await inject({ url: '/docs/scalar.js' }),
      await inject({ url: '/docs/start.js' }),
    ]
    expect(new Script(scalar.payload)).toBeDefined()
    const drawn: [place: string, configuration: { url: string }][] = []
    const observed: unknown[] = []
    runInNewContext(start.payload, {
      Scalar: { createApiReference: (...given: (typeof drawn)[number]) => void drawn.push(given) },
      document: { getElementById: (id: string) => page.payload.includes(`id="${id}"`) && id },
      MutationObserver: class {
        observe = (element: unknown) => void observed.push(element)
      },
    })
    expect(drawn).toEqual([['#app', expect.anything()]])
    expect(observed).toEqual(['app'])
    const answered = await inject({ url: drawn[0]?.[1].url ?? '' })
    expect(answered.statusCode).toBe(200)
    const { tags } = answered.json<{ tags: { name: string }[] }>()
    expect(tags.map(({ name }) => name)).toContain('Records')
  })

  test('serves every script of the page, compressed for clients that accept it', async () => {
    const { payload } = await inject({ url: '/docs' })
    const scripts = [...payload.matchAll(/src="([^"]+)"/g)].map(([, src = '']) => src)
    expect(scripts).toEqual(['/docs/scalar.js', '/docs/start.js'])
    const [plain, compressed] = await Promise.all([
      inject({ url: '/docs/scalar.js' }),
      inject({ url: '/docs/scalar.js', headers: { 'accept-encoding': 'br, gzip' } }),
    ])
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.payload).toContain('createApiReference')
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  })
})

test('GET / redirects to /docs if no dashboard is served', async () => {
  const { statusCode, headers } = await inject({ url: '/' })
  expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: '/docs' })
})
