// Malformed and unusual requests get a clear response.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../test/dose.ts'
import { buildFileService, PNG, pathOf } from './files.fixture.ts'

const service = await buildFileService()
const org = await service.org()
const publicPath = pathOf(await service.stored(org, { path: 'real.png' }))
const { signedUrl } = await service.ask(org)

const RUNS = { numRuns: cases(500) }
const printable = fc.string({ unit: fc.constantFrom(...'abc019 ,;:=-/*"\\()<>%.~é'), maxLength: 40 })
const raw = fc.string({ unit: fc.constantFrom(...'abc%/.~-_09&=?+;é'), maxLength: 40 })

interface Answer {
  statusCode: number
  payload: string
}

function expectClear({ statusCode, payload }: Answer, allowed: readonly number[]): void {
  expect(allowed).toContain(statusCode)
  if (statusCode < 400) return
  expect(JSON.parse(payload)).toMatchObject({
    error: expect.any(String),
    message: expect.any(String),
    requestId: expect.any(String),
  })
}

test('responds clearly to addresses of any form', async () => {
  const method = fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'DELETE' as const)
  await fc.assert(
    fc.asyncProperty(method, raw, async (asked, rest) => {
      const { pathname, search } = new URL(`/files/${encodeURI(rest)}`, 'http://localhost')
      // Clients resolve dots first: a path that leads out of /files does not arrive there.
      fc.pre(pathname.startsWith('/files/'))
      const answer = await service.inject({ method: asked, url: pathname + search })
      if (asked === 'HEAD') expect(answer.statusCode).toBeLessThan(500)
      else expectClear(answer, [400, 403, 404, 405, 415])
    }),
    {
      ...RUNS,
      examples: [
        ['GET', '..'],
        ['GET', '%2e%2e/..'],
        ['GET', './/'],
      ],
    },
  )
})

test('responds clearly to any conditional headers', async () => {
  const header = fc.constantFrom('range', 'if-range', 'if-none-match', 'if-modified-since', 'accept-encoding')
  const value = fc.oneof(
    printable,
    fc.tuple(fc.integer(), fc.integer()).map(([from, to]) => `bytes=${from}-${to}`),
    fc.nat().map((from) => `bytes=${from}-`),
    fc.bigInt().map((length) => `bytes=-${length}`),
  )
  await fc.assert(
    fc.asyncProperty(fc.dictionary(header, value), async (headers) => {
      const answer = await service.inject({ url: publicPath, headers })
      expectClear(answer, [200, 206, 304, 416])
      if (answer.statusCode === 206) {
        const [, start, end] = /^bytes (\d+)-(\d+)\//.exec(String(answer.headers['content-range'])) ?? []
        expect(answer.rawPayload).toEqual(PNG.subarray(Number(start), Number(end) + 1))
      }
    }),
    RUNS,
  )
})

test('rejects a signed address with any changed parameters, and stores nothing', async () => {
  const name = fc.constantFrom('expires', 'contentType', 'size', 'signature', 'x')
  const change = fc.record({ name, value: fc.oneof(printable, fc.integer().map(String)) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const url = new URL(signedUrl)
      for (const { name: parameter, value } of changes) url.searchParams.set(parameter, value)
      expectClear(await service.put(url.href), [400, 403])
    }),
    RUNS,
  )
  expect((await service.rows(org)).map(({ state }) => state)).toEqual(['stored', 'waiting'])
})

test('rejects a body with any declared type and encoding', async () => {
  await fc.assert(
    fc.asyncProperty(printable, printable, async (contentType, encoding) => {
      const headers = {
        'content-type': `image/png${contentType && ';'}${contentType}`,
        'content-encoding': encoding,
      }
      // The declared type is a picture, and the content is text.
      expectClear(await service.put(signedUrl, 'text', headers), [415])
    }),
    RUNS,
  )
})
