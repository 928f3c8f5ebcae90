import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { builtPages, type Pages } from './pages.ts'

const service = await buildTestService({}, builtPages())
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const open = (url: string, headers: Record<string, string> = BROWSER) => service.inject({ url, headers })

test.each(['/', '/sign-in', '/o/acme/objects/people?q=a', '/docs-of-mine', '/portal', '/portal/endpoints'])(
  '%s returns the dashboard',
  async (url) => {
    const page = await open(url)
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(page.payload).toContain('<div id="root">')
  },
)

test('the root returns the dashboard to every client', async () => {
  expect((await open('/', { accept: '*/*' })).statusCode).toBe(200)
})

test('the policy allows scripts only from the service, and styles with the nonce of the page', async () => {
  const [first, second] = [await open('/'), await open('/')]
  const policy = String(first.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  expect(nonce).toHaveLength(24)
  expect(first.payload).toContain(`nonce="${nonce}"`)
  expect(first.payload).not.toContain('__NONCE__')
  expect(first.payload).not.toMatch(/<script(?![^>]*\bsrc=)/)
  expect(second.payload).not.toContain(nonce)
})

test.each([
  [true, 'https://store.example.com:9000'],
  [false, 'https://crm-files.store.example.com:9000'],
])(
  'the policy allows uploads to the service, or also to the bucket (path %s)',
  async (forcePathStyle, origin) => {
    const access = { endpoint: 'https://store.example.com:9000', region: 'us-east-1', bucket: 'crm-files' }
    const s3 = { ...access, accessKeyId: 'x', secretAccessKey: 'x', forcePathStyle }
    const elsewhere = await buildTestService({ s3 }, builtPages())
    const connect = (page: Awaited<ReturnType<typeof open>>) =>
      /connect-src ([^;]*)/.exec(String(page.headers['content-security-policy']))?.[1]
    expect(connect(await elsewhere.inject({ url: '/', headers: BROWSER }))).toBe(`'self' ${origin}`)
    expect(connect(await open('/'))).toBe("'self'")
  },
)

test('addresses that are no pages return not_found as JSON', async () => {
  expectJsonNotFound(await open('/nothing', { accept: 'application/json' }))
  expectJsonNotFound(await open('/assets/nothing.js'))
  expectJsonNotFound(await open('/dashboard/api/nothing'))
  expectJsonNotFound(await open('/portal/api/nothing'))
  expectJsonNotFound(await service.inject({ method: 'POST', url: '/sign-in', headers: BROWSER }))
})

function expectJsonNotFound(response: Awaited<ReturnType<typeof open>>): void {
  expectError({ status: response.statusCode, body: response.json(), headers: response.headers }, 'not_found')
}

test('scripts are cached permanently, and sent compressed', async () => {
  const script = readdirSync(join(builtPages().dir, 'assets')).find((name) => name.endsWith('.js')) ?? ''
  const plain = await open(`/assets/${script}`)
  expect(plain.headers['cache-control']).toContain('immutable')
  expect(plain.headers['content-type']).toContain('javascript')
  const compressed = await open(`/assets/${script}`, { 'accept-encoding': 'br' })
  expect(compressed.headers['content-encoding']).toBe('br')
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length)
})

test('pages are built for production, also in a test run', () => {
  expect(readdirSync(join(builtPages().dir, 'assets')).filter((name) => name.includes('jsx-dev'))).toEqual([])
})

test('files at the root are served, and not cached permanently', async () => {
  for (const url of ['/favicon.svg', '/color-scheme.js', '/first-keys.js']) {
    const { statusCode, headers } = await open(url)
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).not.toContain('immutable')
  }
})

test.each([
  ['building', 'The dashboard is being built', '1'],
  ['failed', 'The dashboard could not be built', undefined],
] as const)('in state %s, shows a page with the state and serves the API', async (state, title, refresh) => {
  const early = await buildTestService({}, { ...builtPages(), state: () => state })
  const page = await early.inject({ url: '/', headers: BROWSER })
  expect(page.statusCode).toBe(503)
  expect(page.headers['retry-after']).toBe('2')
  expect(page.headers['refresh']).toBe(refresh)
  expect(page.payload).toContain(`<h1>${title}</h1>`)
  const [, nonce] = /<style nonce="([^"]*)"/.exec(page.payload) ?? []
  expect(page.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  expect((await early.inject({ url: '/healthz' })).statusCode).toBe(200)
})

test('a page is served while all connections for admission are in use', async () => {
  const busy = await buildTestService({}, builtPages())
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const used = [1, 2, 3].map(() => busy.ctx.admission.transaction(() => over))
  const { statusCode } = await busy.inject({ url: '/sign-in', headers: BROWSER })
  end()
  await Promise.all(used)
  expect(statusCode).toBe(200)
})

describe('the document of a page that requires a sign-in', () => {
  const TABLE = '/o/acme/objects/companies'
  const withSession = (url: string) => open(url, { ...BROWSER, cookie: 'rapport.session_token=x' })
  const linksOf = ({ payload }: Awaited<ReturnType<typeof open>>) =>
    [...payload.matchAll(/<link rel="(preload|modulepreload)"[^>]* href="([^"]*)"/g)].map(
      ([, , href]) => href,
    )

  test('preloads its files and its first requests, and shows its shape', async () => {
    const page = await withSession(`${TABLE}?q=a`)
    const links = linksOf(page)
    const api = '/dashboard/api/organizations/acme/objects'
    for (const path of ['/dashboard/api/visitor', api, `${api}/companies`, `${api}/companies/views`])
      expect(links).toContain(path)
    const records = `${api}/companies/records?limit=100&amp;offset=0&amp;count=true`
    expect(links).not.toContain(records)
    expect(linksOf(await withSession(TABLE))).toContain(records)
    expect(
      links.filter((href) => /^\/assets\/(?:records-page|app-frame)-.*\.js$/.test(href ?? '')),
    ).toHaveLength(2)
    expect(page.payload).toContain('<div id="root"><div class="shell"')
    for (const href of links.filter((href) => href?.startsWith('/assets/')))
      expect((await open(href ?? '')).statusCode).toBe(200)
  })

  test('has no preloads and no shape without a sign-in, as on pages that require none', async () => {
    const ofAnother = await open(TABLE, { ...BROWSER, cookie: 'visitor=x' })
    for (const page of [await open(TABLE), ofAnother, await withSession('/sign-in')]) {
      expect(linksOf(page)).toEqual([])
      expect(page.payload).toContain('<div id="root"></div>')
    }
  })

  test('shows the first rows to members', async () => {
    const org = await service.org()
    const { cookie } = await org.member('member')
    const { cookie: foreign } = await (await service.org()).member('member')
    await org.post('/objects/companies/records', {
      data: { name: 'A < "B" $& __NONCE__', domain: 'b.example' },
    })
    const table = `/o/org-${org.id}/objects/companies`
    const as = (own: string, url = table) => open(url, { ...BROWSER, cookie: own })
    // On a busy machine the rows may be too slow, and are left out: this is the first page with rows.
    let page = await as(cookie)
    const asked = async () => {
      page = await as(cookie)
      return page.payload
    }
    await expect.poll(asked).toContain('b.example')
    const { payload, headers } = page
    expect(payload).toContain('<b class="w-name"><span>A &lt; &quot;B&quot; $&amp; __NONCE__</span></b>')
    expect(payload).toMatch(/<b class="w-\d+"><span>b\.example<\/span><\/b>/)
    expect(headers['cache-control']).toBe('no-store')
    for (const other of [
      await as(foreign),
      await as('rapport.session_token=x'),
      await as(cookie, `${table}?q=x`),
    ]) {
      expect(other.statusCode).toBe(200)
      expect(other.payload).toContain('class="shell-lines"')
      expect(other.payload).not.toContain('b.example')
    }
  })

  test('shows the first content of a record, a board and the first page only to members', async () => {
    const org = await service.org()
    const { cookie } = await org.member('member')
    const { cookie: foreign } = await (await service.org()).member('member')
    const deals = `/o/org-${org.id}/objects/deals`
    const { body } = await org.post<{ id: string }>('/objects/deals/records', {
      data: { name: 'Rocket <b>', stage: 'Lead' },
    })
    const pages = [
      [`${deals}/${body.id}`, '<b>Rocket &lt;b&gt;</b></div>'],
      [`${deals}?kind=board`, '<div class="shell-card">Rocket &lt;b&gt;</div>'],
      [`${deals}?kind=board&board=stage:amount`, '<div class="shell-card">Rocket &lt;b&gt;</div>'],
      [`/o/org-${org.id}`, '<div class="shell-home">Good '],
    ] as const
    for (const [url, content] of pages) {
      const as = async (own: string) => (await open(url, { ...BROWSER, cookie: own })).payload
      // On a busy machine the content may be too slow, and is left out.
      await expect.poll(() => as(cookie)).toContain(content)
      const other = await as(foreign)
      expect(other).toContain('class="shell-lines"')
      expect(other).not.toContain(content)
    }
  })

  test('shows the values of a record as its page does, and its activities', async () => {
    const org = await service.org()
    const { cookie } = await org.member('member')
    const { body } = await org.post<{ id: string }>('/objects/companies/records', {
      data: {
        name: 'Initech',
        employees: 12500,
        industry: 'Technology',
        address: {
          line1: '501 Summit Street',
          city: 'Helena',
          state: 'MT',
          postalCode: '59601',
          country: 'US',
        },
      },
    })
    await org.post('/activities', {
      title: 'Call <b>',
      summary: 'Went through the offer',
      linkedRecords: [{ objectId: 'companies', recordId: body.id }],
    })
    const record = `/o/org-${org.id}/objects/companies/${body.id}`
    const payload = async () => (await open(record, { ...BROWSER, cookie })).payload
    // On a busy machine the content may be too slow, and is left out.
    for (const shown of [
      '501 Summit Street, Helena, MT 59601, United States',
      '12,500',
      'Technology',
      '<span>Domain</span><b></b>',
      'Call &lt;b&gt;',
      '</b> · Went through the offer</p>',
    ])
      await expect.poll(payload).toContain(shown)
  })

  test('has every column of a board, and the one without a value only if it has records', async () => {
    const org = await service.org()
    const { cookie } = await org.member('member')
    await org.post('/objects/deals/records', { data: { name: 'Rocket', stage: 'Lead' } })
    const board = `/o/org-${org.id}/objects/deals?kind=board`
    const columns = async () => {
      const { payload } = await open(board, { ...BROWSER, cookie })
      return [...payload.matchAll(/<section class="shell-column"><span>([^<]*)/g)].map(([, name]) => name)
    }
    const stages = ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost']
    // On a busy machine the content may be too slow, and is left out.
    await expect.poll(columns).toEqual(stages)
    await org.post('/objects/deals/records', { data: { name: 'Anvil' } })
    await expect.poll(columns).toEqual([...stages, 'No stage'])
  })

  test('loads the script that keeps early key presses until the page is drawn', async () => {
    expect((await withSession(TABLE)).payload).toContain('src="/first-keys.js"')
    expect((await open('/sign-in')).payload).not.toContain('first-keys')
  })

  test.each(['?kind=board&q=x', '?kind=board&board=amount', '?kind=board&view=x', '?kind=table'])(
    'leaves out content that the address %s would filter',
    async (query) => {
      const org = await service.org()
      const { cookie } = await org.member('member')
      await org.post('/objects/deals/records', { data: { name: 'Rocket', stage: 'Lead' } })
      const url = `/o/org-${org.id}/objects/deals${query}`
      expect((await open(url, { ...BROWSER, cookie })).payload).not.toContain('Rocket')
    },
  )

  test('passes on the cookie of a renewed sign-in', async () => {
    const visit = { url: TABLE, hasSession: true, read: async () => undefined }
    const renewing: Pages = {
      ...builtPages(),
      document: async (nonce, { read }) => {
        await read('/dashboard/api/visitor', new AbortController().signal)
        return builtPages().document(nonce, visit)
      },
    }
    const other = await buildTestService({}, renewing)
    const { cookie } = await (await other.org()).member('member')
    const day = '1 day'
    await other.ctx.db.run(
      sql`update sessions set updated_at = updated_at - ${day}::interval, expires_at = expires_at - ${day}::interval`,
    )
    const page = await other.inject({ url: TABLE, headers: { ...BROWSER, cookie } })
    expect(String(page.headers['set-cookie'])).toContain('rapport.session_token=')
  })

  test('is compressed, and has the color scheme that the visitor chose', async () => {
    const cookie = 'rapport.session_token=x; rapport-color-scheme=dark'
    const compressed = await open(TABLE, { ...BROWSER, cookie, 'accept-encoding': 'gzip' })
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(compressed.rawPayload).toString()).toContain('<html data-mantine-color-scheme="dark"')
    const page = await open(TABLE, {
      ...BROWSER,
      cookie: 'rapport.session_token=x; rapport-color-scheme="><b>',
    })
    expect(page.payload).toContain('<html lang="en">')
  })

  test('draws its shell without waiting for a style sheet', async () => {
    const { payload } = await withSession(TABLE)
    const sheets = [...payload.matchAll(/<link rel="stylesheet"[^>]*>/g)].map(([link]) => link)
    expect(sheets).toHaveLength(1)
    expect(sheets[0]).toContain('media="print"')
  })

  test('escapes the address', async () => {
    for (const part of ['a"><b>', "a'b", '$1', 'a%22%3E'])
      expect((await withSession(`/o/${part}/objects/x`)).payload).not.toMatch(/<b>|a'b|\$1|a">/)
  })

  test('loads few and small files', async () => {
    const page = await withSession(TABLE)
    const [, entry] = /<script type="module"[^>]* src="([^"]*)"/.exec(page.payload) ?? []
    const scripts = [entry, ...linksOf(page)].filter((href) => href?.endsWith('.js'))
    const bytes = scripts.map((href) => statSync(join(builtPages().dir, `${href}.br`)).size)
    expect(scripts.length).toBeLessThanOrEqual(20)
    // On a slow phone each further 10 kB take 50 ms. Parts that are opened later are loaded later, except for the
    // editors of values, which a key press can open at any time.
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(272_500)
  })
})
