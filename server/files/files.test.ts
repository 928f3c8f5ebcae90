// Files on a disk, from the request for an address to the file at its public address.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { UploadUrl } from '../../contract/files.ts'
import { expectError } from '../test/factories.ts'
import { buildFileService, PNG, pathOf } from './files.fixture.ts'

const service = await buildFileService()
const org = await service.org()
const { ask, put, get, stored } = service

const errorOf = ({ statusCode, payload }: { statusCode: number; payload: string }) =>
  `${statusCode} ${(JSON.parse(payload) as { error: string }).error}`

describe('POST /files/upload-url', () => {
  test('returns two addresses; the public address has no file yet', async () => {
    const { signedUrl, publicUrl, ...rest } = await ask(org, { path: 'a b/Ünïcode.png' })
    expect(rest).toEqual({})
    expect(signedUrl).toMatch(
      new RegExp(
        `^http://127.0.0.1:3000/files/upload/${org.id}/[0-9a-f-]{36}\\?expires=\\d+&signature=[\\w-]{43}$`,
      ),
    )
    expect(publicUrl).toMatch(
      /^http:\/\/127\.0\.0\.1:3000\/files\/[\w-]{43}(?:[\w-]{22})?\/%C3%9Cn%C3%AFcode\.png$/,
    )
    expect(errorOf(await get(publicUrl))).toBe('404 not_found')
  })

  test('returns the same file again until it is uploaded, then file_exists', async () => {
    const place = { path: 'twice.png' }
    const [first, second] = [await ask(org, place), await ask(org, place)]
    expect(second.publicUrl).toBe(first.publicUrl)
    expect((await put(second.signedUrl)).statusCode).toBe(200)
    expect(errorOf(await put(first.signedUrl))).toBe('409 file_exists')
    expectError(await org.post('/files/upload-url', { bucket: 'pictures', ...place }), 'file_exists')
    expect((await ask(org, { ...place, bucket: 'others' })).publicUrl).not.toBe(first.publicUrl)
  })

  test('keeps files of two organizations with the same path separate', async () => {
    const other = await service.org()
    const place = { path: 'shared/name.png' }
    const [mine, theirs] = [await ask(org, place), await ask(other, place)]
    expect(mine.publicUrl).not.toBe(theirs.publicUrl)
    expect((await put(mine.signedUrl)).statusCode).toBe(200)
    expect(errorOf(await get(theirs.publicUrl))).toBe('404 not_found')
  })

  test.each([
    ['bucket', { bucket: 'A' }],
    ['bucket', { bucket: 'a' }],
    ['bucket', { bucket: '-pictures' }],
    ['bucket', { bucket: 'pictures/..' }],
    ['bucket', { bucket: 'con' }],
    ['bucket', { bucket: 'x'.repeat(64) }],
    ['path', { path: '' }],
    ['path', { path: 'x'.repeat(1025) }],
    ['path', { path: 'é'.repeat(513) }],
    ['path', { path: '../../etc/passwd' }],
    ['path', { path: 1 }],
    ['contentType', { contentType: 'picture' }],
    ['contentType', { contentType: 'image/png\r\nx: y' }],
    ['contentType', { contentType: 'multipart/form-data' }],
    // Files of programs in this bucket would be swept.
    ['bucket', { bucket: 'dashboard-uploads' }],
    ['size', { size: -1 }],
    ['size', { size: 1.5 }],
    ['size', { size: 52_428_801 }],
  ])('refuses a bad %s: %j', async (field, wrong) => {
    const before = await service.rows(org)
    const reply = await org.post('/files/upload-url', { bucket: 'pictures', path: 'a.png', ...wrong })
    expectError(reply, 'validation_error')
    const { details } = reply.body as { details?: { errors: { path: string }[] } }
    expect(details?.errors.map(({ path }) => path)).toEqual([field])
    expect(await service.rows(org)).toEqual(before)
  })

  test('accepts members of the organization in the dashboard', async () => {
    const member = await org.member('member')
    const reply = await member.post<UploadUrl>('/files/upload-url', { bucket: 'avatars', path: 'me.png' })
    expect(reply.status).toBe(200)
    expect((await put(reply.body.signedUrl)).statusCode).toBe(200)
    expect((await get(reply.body.publicUrl)).rawPayload).toEqual(PNG)
  })
})

describe('an uploaded file', () => {
  test('has the same bytes at its public address', async () => {
    const { signedUrl, publicUrl } = await ask(org)
    const response = await put(signedUrl)
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { publicUrl, size: PNG.length, contentType: 'image/png' },
    ])
    const read = await get(publicUrl)
    expect([read.statusCode, read.rawPayload]).toEqual([200, PNG])
  })

  test('is stored under a path of ids, and leaves no draft', async () => {
    const one = await service.org()
    const before = await service.onDisk()
    await stored(one, { bucket: 'private', path: 'who/would guess.png' })
    const added = (await service.onDisk()).filter((file) => !before.includes(file))
    expect(added).toEqual([expect.stringMatching(new RegExp(`/files/${one.id}/private/[0-9a-f-]{36}$`))])
    expect(await readFile(added[0] ?? '')).toEqual(PNG)
  })

  test('may be empty', async () => {
    const { signedUrl, publicUrl } = await ask(org, { path: 'empty.txt' })
    expect((await put(signedUrl, '', { 'content-type': 'text/plain' })).statusCode).toBe(200)
    const read = await get(publicUrl)
    expect([read.statusCode, read.payload, read.headers['content-length']]).toEqual([200, '', '0'])
    expect(errorOf(await get(publicUrl, { range: 'bytes=0-0' }))).toBe('416 range_not_satisfiable')
  })

  test('has a response to HEAD without its bytes', async () => {
    const url = pathOf(await stored(org))
    const [read, head] = [await service.inject({ url }), await service.inject({ method: 'HEAD', url })]
    const { 'x-request-id': _, date: __, 'x-ratelimit-remaining': ___, ...headers } = read.headers
    expect(head.headers).toMatchObject(headers)
    expect([head.statusCode, head.payload]).toEqual([200, ''])
  })
})

describe('the headers of a file', async () => {
  const headersOf = async (path: string, contentType: string, body: Buffer = PNG) => {
    const { signedUrl, publicUrl } = await ask(org, { path })
    expect((await put(signedUrl, body, { 'content-type': contentType })).statusCode).toBe(200)
    return (await get(publicUrl)).headers
  }
  const picture = await headersOf('of/a picture.png', 'image/png')

  test.each([
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
    ['cache-control', 'private, max-age=86400, immutable'],
    ['cross-origin-resource-policy', 'cross-origin'],
    ['referrer-policy', 'no-referrer'],
    ['accept-ranges', 'bytes'],
    ['content-length', String(PNG.length)],
    ['content-type', 'image/png'],
    ['content-disposition', `inline; filename="a picture.png"; filename*=UTF-8''a%20picture.png`],
  ])('include %s: %s', (name, value) => expect(picture[name]).toBe(value))

  test('leave a PDF without a sandbox, because no viewer works in one, and forbid scripts', async () => {
    const headers = await headersOf('offer.pdf', 'Application/PDF', Buffer.from('%PDF-1.7 and so on'))
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="offer.pdf"; filename*=UTF-8''offer.pdf`,
    })
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "object-src 'self'", "frame-ancestors 'none'"]),
    )
    expect(policy.filter((one) => one.startsWith('sandbox') || one.startsWith('script-src'))).toEqual([])
  })

  test('sandbox a file of a type that only resembles PDF', async () => {
    const headers = await headersOf('offer.xpdf', 'application/x-pdf', Buffer.from('%PDF-1.7'))
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(headers['content-disposition']).toContain('attachment')
  })

  test('include a different ETag for each file', async () => {
    expect(picture.etag).toMatch(/^"[0-9a-f-]{36}"$/)
    expect((await headersOf('another.png', 'image/png')).etag).not.toBe(picture.etag)
  })

  const ascii = (text: string) => Buffer.from(text, 'latin1')
  test.each([
    ['image/jpeg', ascii('\xff\xd8\xff\xe0')],
    ['image/gif', ascii('GIF89a')],
    ['image/webp', ascii('RIFF\x24\x00\x00\x00WEBPVP8 ')],
    ['image/avif', ascii('\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf')],
    ['application/pdf', ascii('%PDF-1.7\n')],
  ])('let browsers show %s', async (type, body) => {
    const headers = await headersOf(`shown/${type}`, type, body)
    expect([headers['content-type'], headers['content-disposition']?.slice(0, 7)]).toEqual([type, 'inline;'])
  })

  test.each([
    ['text/html', 'application/octet-stream'],
    ['text/html; charset=utf-8', 'application/octet-stream'],
    ['TEXT/HTML', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['application/vnd.example+xml', 'application/octet-stream'],
    ['application/wasm', 'application/octet-stream'],
    ['text/css', 'application/octet-stream'],
    ['text/xml', 'application/octet-stream'],
    ['application/pdfx', 'application/octet-stream'],
    ['x/y', 'application/octet-stream'],
    ['text/plain; charset=utf-8', 'text/plain;charset=utf-8'],
    ['text/csv', 'text/csv'],
    ['image/tiff', 'image/tiff'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
  ])('make browsers download %s, as %s', async (type, served) => {
    const headers = await headersOf(`saved/${type.replaceAll(/\W/g, '-')}-${type.length}${type[0]}`, type)
    expect(headers['content-type']).toBe(served)
    expect(headers['content-disposition']).toMatch(/^attachment; /)
  })

  test('quote the file name so that it cannot add parameters', async () => {
    const headers = await headersOf('quotes/a"; filename=evil.exe', 'text/plain')
    expect(headers['content-disposition']).toBe(
      `attachment; filename="a_; filename=evil.exe"; filename*=UTF-8''a%22%3B%20filename%3Devil.exe`,
    )
  })
})

describe('parts and versions', async () => {
  const publicUrl = await stored(org, { path: 'parts.png' })
  const etag = String((await get(publicUrl)).headers.etag)
  const { length } = PNG

  test.each([
    ['bytes=0-3', 0, 3],
    ['bytes=4-', 4, length - 1],
    ['bytes=-5', length - 5, length - 1],
    ['bytes=-9999', 0, length - 1],
    [`bytes=3-${length + 100}`, 3, length - 1],
  ])('the range %s returns these bytes', async (range, start, end) => {
    const part = await get(publicUrl, { range })
    expect(part.statusCode).toBe(206)
    expect(part.headers['content-range']).toBe(`bytes ${start}-${end}/${length}`)
    expect(part.headers['content-length']).toBe(String(end - start + 1))
    expect(part.rawPayload).toEqual(PNG.subarray(start, end + 1))
  })

  test.each(['bytes=0-1,3-4', 'bytes=5-4', 'bytes=x', 'lines=0-1', 'bytes=-', ''])(
    'the range %j returns the whole file',
    async (range) => {
      const whole = await get(publicUrl, { range })
      expect([whole.statusCode, whole.rawPayload]).toEqual([200, PNG])
    },
  )

  test.each([`bytes=${length}-`, 'bytes=9999-99999', 'bytes=-0'])('rejects range %s', async (range) => {
    const beyond = await get(publicUrl, { range })
    expect(errorOf(beyond)).toBe('416 range_not_satisfiable')
    expect(beyond.headers['content-range']).toBe(`bytes */${length}`)
  })

  test('If-Range of another version returns the whole file', async () => {
    const range = 'bytes=0-3'
    expect((await get(publicUrl, { range, 'if-range': etag })).statusCode).toBe(206)
    expect((await get(publicUrl, { range, 'if-range': '"another"' })).statusCode).toBe(200)
  })

  test.each([etag, `W/${etag}`, `"x", ${etag}`, '*'])('If-None-Match: %s returns 304', async (known) => {
    const same = await get(publicUrl, { 'if-none-match': known })
    expect([same.statusCode, same.payload, same.headers.etag]).toEqual([304, '', etag])
    expect(same.headers['cache-control']).toBe('private, max-age=86400, immutable')
  })

  test('If-None-Match of another version returns the file', async () => {
    expect((await get(publicUrl, { 'if-none-match': '"another"' })).statusCode).toBe(200)
  })
})

describe('an address without a file', async () => {
  const publicUrl = await stored(org, { path: 'real.png' })

  test.each([
    ['another name', publicUrl.replace('real.png', 'unreal.png')],
    ['another token', publicUrl.replace(/[\w-]{43}/, 'A'.repeat(43))],
    ['a short token', publicUrl.replace(/[\w-]{43}/, 'A')],
    ['a way up', publicUrl.replace('real.png', '..%2f..%2fsecrets-key')],
    ['a name with NUL', `${publicUrl}%00`],
    ['invalid escapes', `${publicUrl}%zz`],
    ['nothing', 'http://127.0.0.1:3000/files/'],
    ['the folder of uploads', 'http://127.0.0.1:3000/files/upload/x'],
  ])('with %s returns 404', async (_, url) => {
    const response = await service.inject({ url: url.replace('http://127.0.0.1:3000', '') })
    expect(errorOf(response)).toBe('404 not_found')
  })

  test('rejects other methods', async () => {
    const response = await service.inject({ method: 'DELETE', url: pathOf(publicUrl) })
    expect([errorOf(response), response.headers['allow']]).toEqual([
      '405 method_not_allowed',
      'GET, HEAD, OPTIONS',
    ])
    const { signedUrl } = await ask(org)
    const got = await service.inject({ method: 'POST', url: pathOf(signedUrl) })
    expect([errorOf(got), got.headers['allow']]).toEqual(['405 method_not_allowed', 'OPTIONS, PUT'])
  })
})
