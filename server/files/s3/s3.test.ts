// Files in a bucket, from the request for an address to the file at its public address.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { UploadUrl } from '../../../contract/files.ts'
import { buildFileService, PNG, pathOf } from '../files.fixture.ts'
import { confirmUploads, sweepFiles } from '../jobs.ts'
import { startStandIn } from './stand-in.fixture.ts'
import { createS3Storage } from './storage.ts'

const HOUR_MS = 3600_000
const MAX = 1000
const standIn = await startStandIn()
const service = await buildFileService({
  s3: standIn.access,
  fileBytesMax: MAX,
  filesBytesPerOrganization: 5000,
})
const org = await service.org()
const { ask, get } = service
const { signal } = new AbortController()

afterEach(() => {
  standIn.mood = 'well'
  standIn.aheadMs = 0
})

const outcomeOf = ({ statusCode, payload }: { statusCode: number; payload: string }) =>
  `${statusCode} ${(JSON.parse(payload) as { error: string }).error}`

/** Uploads a file with the address and the headers that the service returned. */
async function put({ signedUrl, headers }: UploadUrl, body: Buffer = PNG, more: Record<string, string> = {}) {
  const all = { 'content-type': 'image/png', ...headers, ...more }
  return (await fetch(signedUrl, { method: 'PUT', headers: all, body: new Uint8Array(body) })).status
}

const big = (size: number) => Buffer.concat([PNG, Buffer.alloc(size - PNG.length, 'x')])
const keyOf = ({ signedUrl }: UploadUrl) => new URL(signedUrl).pathname.replace(/^\/[^/]+\//, '')

describe('a file in the bucket', () => {
  test('is served at its public address with the usual headers', async () => {
    const owner = await service.org()
    const upload = await ask(owner, { path: 'a/portrait.png' })
    expect(upload.headers).toEqual({ 'if-none-match': '*' })
    expect(keyOf(upload)).toMatch(new RegExp(`^${owner.id}/pictures/[0-9a-f-]{36}$`))
    expect(outcomeOf(await get(upload.publicUrl))).toBe('404 not_found')
    expect(await put(upload)).toBe(200)
    const read = await get(upload.publicUrl)
    expect([read.statusCode, read.rawPayload]).toEqual([200, PNG])
    expect(read.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="portrait.png"; filename*=UTF-8''portrait.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
    expect(await service.rows(owner)).toMatchObject([
      { path: 'a/portrait.png', state: 'stored', size: PNG.length },
    ])
  })

  test('is not replaced by a second upload', async () => {
    const upload = await ask(org)
    expect([await put(upload), await put(upload, big(500))]).toEqual([200, 412])
    expect((await get(upload.publicUrl)).rawPayload).toEqual(PNG)
  })

  test('is served in parts', async () => {
    const upload = await ask(org)
    await put(upload)
    const part = await get(upload.publicUrl, { range: 'bytes=1-3' })
    expect([part.statusCode, part.rawPayload]).toEqual([206, PNG.subarray(1, 4)])
    expect(part.headers['content-range']).toBe(`bytes 1-3/${PNG.length}`)
    const head = await service.inject({ method: 'HEAD', url: pathOf(upload.publicUrl) })
    expect([head.statusCode, head.payload, head.headers['content-length']]).toEqual([
      200,
      '',
      String(PNG.length),
    ])
  })

  test('is served as a download if its content is no picture', async () => {
    const upload = await ask(org)
    await put(upload, Buffer.from('<script>alert(1)</script>'))
    const { headers } = await get(upload.publicUrl)
    expect(headers['content-type']).toBe('application/octet-stream')
    expect(headers['content-disposition']).toMatch(/^attachment/)
  })

  test('is not served after a change in the bucket', async () => {
    const upload = await ask(org)
    await put(upload)
    expect((await get(upload.publicUrl)).statusCode).toBe(200)
    const object = standIn.objects.get(keyOf(upload))
    if (object) standIn.objects.set(keyOf(upload), { ...object, etag: '"another"' })
    expect(outcomeOf(await get(upload.publicUrl))).toBe('404 not_found')
  })

  test('returns 404 after it was deleted in the bucket', async () => {
    const upload = await ask(org)
    await put(upload)
    expect((await get(upload.publicUrl)).statusCode).toBe(200)
    standIn.objects.delete(keyOf(upload))
    expect(outcomeOf(await get(upload.publicUrl))).toBe('404 not_found')
  })

  test('that is too large is deleted', async () => {
    const upload = await ask(org)
    expect(await put(upload, big(MAX + 1))).toBe(200)
    expect(outcomeOf(await get(upload.publicUrl))).toBe('404 not_found')
    expect(standIn.objects.has(keyOf(upload))).toBe(false)
    expect(outcomeOf(await get(upload.publicUrl))).toBe('404 not_found')
  })
})

describe('the store rejects', () => {
  test('a PUT that could overwrite', async () => {
    const { signedUrl, publicUrl } = await ask(org)
    expect(await put({ signedUrl, publicUrl })).toBe(403)
  })

  test('another type than requested', async () => {
    const upload = await ask(org, { contentType: 'image/png' })
    expect(upload.headers).toEqual({ 'if-none-match': '*', 'content-type': 'image/png' })
    expect(await put(upload, PNG, { 'content-type': 'text/html' })).toBe(403)
    expect(await put(upload)).toBe(200)
  })

  test('another size than requested', async () => {
    const upload = await ask(org, { size: PNG.length })
    expect(await put(upload, big(500))).toBe(403)
    expect(await put(upload)).toBe(200)
  })

  test('another key, and an expired address', async () => {
    const upload = await ask(org)
    expect(await put({ ...upload, signedUrl: upload.signedUrl.replace(org.id, crypto.randomUUID()) })).toBe(
      403,
    )
    standIn.aheadMs = 2 * HOUR_MS
    expect(await put(upload)).toBe(403)
    standIn.aheadMs = 2 * HOUR_MS - 60_000
    expect(await put(upload)).toBe(200)
  })
})

describe('the background job', () => {
  test('registers files that reached the store, and checks again only after an interval', async () => {
    const owner = await service.org()
    const [upload, unused] = [
      await ask(owner, { path: 'came.png' }),
      await ask(owner, { path: 'unused.png' }),
    ]
    await put(upload)
    standIn.asked.length = 0
    await confirmUploads(service.ctx, signal)
    expect(standIn.asked).toEqual([])
    service.advance(10 * 60_000)
    await confirmUploads(service.ctx, signal)
    expect(await service.rows(owner)).toMatchObject([
      { state: 'stored', size: PNG.length },
      { state: 'waiting' },
    ])
    standIn.asked.length = 0
    await confirmUploads(service.ctx, signal)
    expect(standIn.asked).toEqual([])
    expect(outcomeOf(await get(unused.publicUrl))).toBe('404 not_found')
  })

  test('deletes files that exceed the limit of the organization', async () => {
    const owner = await service.org()
    const uploads: UploadUrl[] = []
    for (let nr = 0; nr < 6; nr++) uploads.push(await ask(owner))
    for (const upload of uploads) expect(await put(upload, big(1000))).toBe(200)
    service.advance(10 * 60_000)
    await confirmUploads(service.ctx, signal)
    expect((await service.rows(owner)).map(({ state }) => state)).toEqual(Array(5).fill('stored'))
    expect([...standIn.objects.keys()].filter((key) => key.startsWith(owner.id))).toHaveLength(5)
  })

  test('forgets unused uploads, and deletes the files of deleted organizations', async () => {
    const owner = await service.org()
    const [late, unused, stored] = [await ask(owner), await ask(owner), await ask(owner)]
    await put(stored)
    await get(stored.publicUrl)
    await put(late)
    service.advance(25 * HOUR_MS)
    await sweepFiles(service.ctx, signal, service.ctx.clock.now())
    expect((await get(late.publicUrl)).statusCode).toBe(200)
    expect(await service.rows(owner)).toHaveLength(2)
    expect(outcomeOf(await get(unused.publicUrl))).toBe('404 not_found')
    await service.drop(owner)
    await sweepFiles(service.ctx, signal, service.ctx.clock.now())
    expect([...standIn.objects.keys()].filter((key) => key.startsWith(owner.id))).toEqual([])
    expect(await service.rows(owner)).toEqual([])
  })
})

describe('a faulty store', () => {
  /** One stored file, and one file whose upload has not arrived. */
  async function makeTwo() {
    const [upload, waiting] = [await ask(org), await ask(org)]
    await put(upload)
    await get(upload.publicUrl)
    return { upload, waiting }
  }

  test.each(['fail', 'redirect'] as const)('%s: requests return 503, and no file is lost', async (mood) => {
    const { upload, waiting } = await makeTwo()
    service.advance(10 * 60_000)
    const other = createServer((_, response) => response.end('not this'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    standIn.elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    let redirected = 0
    other.on('request', () => redirected++)
    standIn.mood = mood
    for (const { publicUrl } of [upload, waiting])
      expect(outcomeOf(await get(publicUrl))).toBe('503 unavailable')
    await expect(confirmUploads(service.ctx, signal)).rejects.toMatchObject({ code: 'unavailable' })
    other.close()
    expect(redirected).toBe(0)
    standIn.mood = 'well'
    expect((await get(upload.publicUrl)).rawPayload).toEqual(PNG)
  })

  test('that ends a response early ends the response of the service', async () => {
    const { upload } = await makeTwo()
    const { port } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
    standIn.mood = 'cut'
    const response = await fetch(`http://127.0.0.1:${port}${pathOf(upload.publicUrl)}`)
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow()
  })

  test('that does not respond or cannot be reached causes 503 in time', async () => {
    const quick = { answerMs: 50, pieceMs: 50 }
    const stalling = createS3Storage(standIn.access, quick)
    standIn.mood = 'stall'
    await expect(stalling.head('any')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(stalling.get({ key: 'any', etag: null })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(stalling.delete('any')).rejects.toMatchObject({ code: 'unavailable' })
    expect(await stalling.check()).toBe('it does not respond')
    await stalling.close()
    const nowhere = createS3Storage({ ...standIn.access, endpoint: 'http://127.0.0.1:9' }, quick)
    await expect(nowhere.head('any')).rejects.toMatchObject({ code: 'unavailable' })
    await nowhere.close()
  })
})

test('presigns addresses with the bucket in the host name', async () => {
  const storage = createS3Storage({
    ...standIn.access,
    endpoint: 'https://s3.eu-test-1.amazonaws.com',
    forcePathStyle: false,
  })
  const upload = { organizationId: 'o', fileId: 'f', key: 'o/b/f', expires: 1_800_000_000 }
  const { url } = await storage.presignPut({ ...upload, contentType: undefined, size: undefined })
  expect(url).toMatch(/^https:\/\/files-of-tests\.s3\.eu-test-1\.amazonaws\.com\/o\/b\/f\?X-Amz-/)
})

test('the service accepts no uploads itself if files are in a bucket', async () => {
  const url = `/files/upload/${org.id}/${org.id}?expires=9999999999&signature=x`
  const response = await service.inject({
    method: 'PUT',
    url,
    payload: PNG,
    headers: { 'content-type': 'image/png' },
  })
  expect(outcomeOf(response)).toBe('404 not_found')
})
