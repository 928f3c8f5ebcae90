// Failed uploads: each returns a clear error and leaves nothing.
import { once } from 'node:events'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { UploadUrl } from '../../contract/files.ts'
import { newId } from '../base/id.ts'
import type { WatchedDiskSpace } from '../db/disk-space/disk-space.ts'
import { expectError } from '../test/factories.ts'
import { buildFileService, PNG, pathOf } from './files.fixture.ts'

const MAX = 300_000
const service = await buildFileService({ fileBytesMax: MAX, filesBytesPerOrganization: 1_000_000 })
const small = await buildFileService({ filesBytesPerOrganization: PNG.length * 2 })
const broken = await buildFileService()
const nearlyFull = await buildFileService({
  // With a remote database, only the disk of files is checked.
  ...{
    databaseUrl: 'postgresql://elsewhere/rapport',
    diskFreeMinBytes: Number.MAX_SAFE_INTEGER - PNG.length,
  },
})
const org = await service.org()
const { ask, put } = service

const port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)

const outcomeOf = ({ statusCode, payload }: { statusCode: number; payload: string }) => {
  const body = JSON.parse(payload) as { error?: string; message?: string; requestId?: string }
  if (statusCode >= 400)
    expect(body).toMatchObject({ message: expect.any(String), requestId: expect.any(String) })
  return `${statusCode} ${body.error ?? 'stored'}`
}

/** All rows and all files on the disk. */
const everything = async () => ({
  disk: (await service.onDisk()).sort(),
  rows: await service.ctx.db.many(
    sql`select id, state, size, content_type, stored_at from files where org = ${org.org} order by id`,
  ),
  usage: await service.ctx.db.many(sql`select * from file_usage where org = ${org.org}`),
})

const type = { 'content-type': 'image/png' }
const big = (size: number) => Buffer.concat([PNG, Buffer.alloc(size - PNG.length, 'x')])

describe('a signed address that is changed', async () => {
  const { signedUrl } = await ask(org, { contentType: 'image/png', size: PNG.length })
  const other = await ask(await service.org(), { contentType: 'image/png', size: PNG.length })
  const change = (edit: (url: URL) => void) => {
    const url = new URL(signedUrl)
    edit(url)
    return url.href
  }
  const set = (name: string, value: string) => change(({ searchParams }) => searchParams.set(name, value))
  const signature = new URL(signedUrl).searchParams.get('signature') ?? ''

  test.each([
    ['a later end', set('expires', '9999999999')],
    ['another type', set('contentType', 'text/html')],
    ['no type', change(({ searchParams }) => searchParams.delete('contentType'))],
    ['another size', set('size', '5')],
    ['no size', change(({ searchParams }) => searchParams.delete('size'))],
    ['another signature', set('signature', `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`)],
    [
      'the signature of another',
      set('signature', new URL(other.signedUrl).searchParams.get('signature') ?? ''),
    ],
    ['no signature', set('signature', '')],
    ['another file', signedUrl.replace(/[0-9a-f-]{36}\?/, `${newId()}?`)],
    ['another organization', signedUrl.replace(org.id, newId())],
    ['no id', signedUrl.replace(org.id, "x'--")],
    ['a way up', signedUrl.replace(org.id, '..%2f..%2f..')],
  ])('to %s is refused', async (_, url) => {
    const before = await everything()
    expect(outcomeOf(await put(url))).toBe('403 invalid_signature')
    expect(await everything()).toEqual(before)
  })

  test.each([
    ['an extra parameter', `${signedUrl}&x=1`],
    ['no parameters', signedUrl.replace(/\?.*/, '')],
    ['an end that is no number', set('expires', 'soon')],
    ['a signature twice', `${signedUrl}&signature=x`],
  ])('to %s is reported as an invalid parameter', async (_, url) => {
    expect(outcomeOf(await put(url))).toBe('400 invalid_parameter')
  })
})

describe('an upload whose file', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>, Buffer | string, string]>([
    ['has no type', {}, {}, PNG, '415 unsupported_media_type'],
    ['has an empty type', {}, { 'content-type': '' }, PNG, '415 unsupported_media_type'],
    ['has no real type', {}, { 'content-type': 'png' }, PNG, '415 unsupported_media_type'],
    ['has a broken type', {}, { 'content-type': 'image/png; a' }, PNG, '415 unsupported_media_type'],
    ['has a long type', {}, { 'content-type': `a/${'b'.repeat(300)}` }, PNG, '415 unsupported_media_type'],
    [
      'is a form',
      {},
      { 'content-type': 'multipart/form-data; boundary=x' },
      PNG,
      '415 unsupported_media_type',
    ],
    [
      'is sent by curl -d',
      {},
      { 'content-type': 'application/x-www-form-urlencoded' },
      PNG,
      '415 unsupported_media_type',
    ],
    ['is of another type than asked', { contentType: 'image/gif' }, type, PNG, '415 unsupported_media_type'],
    ['is no picture', {}, type, '<script>alert(1)</script>', '415 unsupported_media_type'],
    ['is empty, and no picture', {}, type, '', '415 unsupported_media_type'],
    ['is another picture', {}, { 'content-type': 'image/gif' }, PNG, '415 unsupported_media_type'],
    ['is compressed', {}, { ...type, 'content-encoding': 'gzip' }, PNG, '415 unsupported_media_type'],
    ['is too large', {}, type, big(MAX + 1), '413 payload_too_large'],
    ['is larger than asked', { size: 10 }, type, PNG, '400 validation_error'],
    ['is smaller than asked', { size: 1000 }, type, PNG, '400 validation_error'],
  ])('%s is refused and stores nothing', async (_, asked, headers, body, outcome) => {
    const { signedUrl, publicUrl } = await ask(org, asked)
    const before = await everything()
    expect(outcomeOf(await put(signedUrl, body, headers))).toBe(outcome)
    expect(await everything()).toEqual(before)
    expect(outcomeOf(await service.get(publicUrl))).toBe('404 not_found')
  })

  test('has the requested type in another spelling is stored', async () => {
    const { signedUrl } = await ask(org, { contentType: 'text/plain; charset=utf-8', size: 2 })
    const response = await put(signedUrl, 'hi', { 'content-type': 'Text/Plain;charset=UTF-8' })
    expect(outcomeOf(response)).toBe('200 stored')
  })

  test('has the largest size is stored', async () => {
    const { signedUrl } = await ask(await service.org())
    expect(outcomeOf(await put(signedUrl, big(MAX)))).toBe('200 stored')
  })
})

interface Sent {
  socket: Socket
  /** The response until the service closes the connection. */
  received: Promise<string>
}

function send(url: string, headers: string, ...parts: (Buffer | string)[]): Sent {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(
    `PUT ${pathOf(url)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: image/png\r\n${headers}\r\n\r\n`,
  )
  for (const part of parts) socket.write(part)
  return { socket, received: once(socket, 'close').then(() => text) }
}

const answerOf = (text: string) => {
  const [head = '', payload = ''] = text.split('\r\n\r\n')
  return outcomeOf({ statusCode: Number(head.split(' ')[1]), payload })
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

describe('over a connection', () => {
  test('a file in chunks of unknown number is stored', async () => {
    const { signedUrl, publicUrl } = await ask(org)
    const { received } = send(
      signedUrl,
      'Transfer-Encoding: chunked',
      chunk(PNG.subarray(0, 5)),
      chunk(PNG.subarray(5)),
      '0\r\n\r\n',
    )
    expect(answerOf((await received).replace(/\r\n\r\n.*?\{/s, '\r\n\r\n{'))).toBe('200 stored')
    expect((await service.get(publicUrl)).rawPayload).toEqual(PNG)
  })

  test('an upload whose Content-Length is too large is refused immediately', async () => {
    const { signedUrl } = await ask(org)
    const before = await everything()
    const { socket, received } = send(signedUrl, `Content-Length: ${MAX + 1}`, PNG)
    await once(socket, 'data')
    socket.end()
    expect(answerOf(await received)).toBe('413 payload_too_large')
    expect(await everything()).toEqual(before)
  })

  test('an upload that becomes too large is refused', async () => {
    const { signedUrl } = await ask(org)
    const before = await everything()
    const parts = Array.from({ length: 4 }, () => chunk(big(100_000)))
    const { received } = send(signedUrl, 'Transfer-Encoding: chunked', ...parts, '0\r\n\r\n')
    expect(answerOf(await received)).toBe('413 payload_too_large')
    expect(await everything()).toEqual(before)
  })

  test.each([
    ['Content-Length: 200000', big(100_000)],
    ['Transfer-Encoding: chunked', chunk(big(100_000))],
  ])('an interrupted upload leaves nothing, and can be repeated (%s)', async (headers, half) => {
    const { signedUrl } = await ask(await service.org())
    const before = await everything()
    const { socket } = send(signedUrl, headers, half)
    await expect.poll(service.onDisk).toHaveLength(before.disk.length + 1)
    socket.destroy()
    await expect.poll(everything).toEqual(before)
    expect(outcomeOf(await put(signedUrl))).toBe('200 stored')
  })

  test('one of two concurrent uploads is stored completely', async () => {
    const { signedUrl, publicUrl } = await ask(await service.org())
    const bodies = [big(200_000), Buffer.concat([PNG, Buffer.alloc(250_000, 'y')])]
    const answers = await Promise.all(
      bodies.map((body) => send(signedUrl, `Content-Length: ${body.length}`, body).received),
    )
    expect(answers.map(answerOf).sort()).toEqual(['200 stored', '409 file_exists'])
    const winner = bodies[answers.findIndex((answer) => answerOf(answer).startsWith('200'))]
    expect((await service.get(publicUrl)).rawPayload).toEqual(winner)
  })
})

test('a second file is refused, and the first one stays', async () => {
  const { signedUrl, publicUrl } = await ask(org)
  expect(outcomeOf(await put(signedUrl))).toBe('200 stored')
  const before = await everything()
  expect(outcomeOf(await put(signedUrl, big(1000)))).toBe('409 file_exists')
  expect(await everything()).toEqual(before)
  expect((await service.get(publicUrl)).rawPayload).toEqual(PNG)
})

test('exactly one of many concurrent uploads is stored', async () => {
  const { signedUrl } = await ask(org)
  const outcomes = (await Promise.all(Array.from({ length: 8 }, () => put(signedUrl)))).map(outcomeOf)
  expect(outcomes.filter((one) => one === '200 stored')).toHaveLength(1)
  expect(outcomes.filter((one) => one === '409 file_exists')).toHaveLength(7)
})

test('the address of a deleted file or organization returns not_found and stores nothing', async () => {
  const other = await service.org()
  const [forgotten, orphaned, seen] = [await ask(org), await ask(other), await service.stored(other)]
  const [, id = ''] = /([0-9a-f-]{36})\?/.exec(forgotten.signedUrl) ?? []
  await service.ctx.db.run(sql`delete from files where id = ${id}`)
  await service.drop(other)
  const before = await everything()
  expect(outcomeOf(await put(forgotten.signedUrl))).toBe('404 not_found')
  expect(outcomeOf(await put(orphaned.signedUrl))).toBe('404 not_found')
  expect(outcomeOf(await service.get(seen))).toBe('404 not_found')
  expect(await everything()).toEqual(before)
})

test('an upload replaces the bytes of a process that ended before its commit', async () => {
  const { signedUrl, publicUrl } = await ask(org)
  const [, id = ''] = /([0-9a-f-]{36})\?/.exec(signedUrl) ?? []
  const place = join(service.dataDir, 'files', org.id, 'pictures', id)
  await mkdir(dirname(place), { recursive: true })
  await writeFile(place, 'half of an earlier try')
  await link(place, `${place}-other`)
  expect(outcomeOf(await put(signedUrl))).toBe('200 stored')
  expect((await service.get(publicUrl)).rawPayload).toEqual(PNG)
  await rm(`${place}-other`)
})

describe('an organization near its limit', () => {
  test('stores only as many concurrent uploads as fit', async () => {
    const owner = await small.org()
    const uploads: UploadUrl[] = []
    for (let nr = 0; nr < 5; nr++) uploads.push(await small.ask(owner))
    const outcomes = (await Promise.all(uploads.map(({ signedUrl }) => small.put(signedUrl)))).map(outcomeOf)
    expect(outcomes.sort()).toEqual([
      '200 stored',
      '200 stored',
      '409 storage_full',
      '409 storage_full',
      '409 storage_full',
    ])
    expect(await small.onDisk()).toHaveLength(2)
    expect((await small.rows(owner)).filter(({ state }) => state === 'stored')).toHaveLength(2)
    expectError(await owner.post('/files/upload-url', { bucket: 'pictures', path: 'x' }), 'storage_full')
    const another = await small.org()
    expect(outcomeOf(await small.put((await small.ask(another)).signedUrl))).toBe('200 stored')
  })

  test('gets no upload address for a file that does not fit', async () => {
    const owner = await small.org()
    const asked = { bucket: 'pictures', path: 'x', size: PNG.length * 2 + 1 }
    const reply = await owner.post('/files/upload-url', asked)
    expectError(reply, 'storage_full')
    expect(reply.body).toMatchObject({ details: { limitBytes: PNG.length * 2, usedBytes: 0 } })
  })
})

test('uploads that are still arriving count towards the limit', async () => {
  const owner = await small.org()
  const uploads = [await small.ask(owner), await small.ask(owner), await small.ask(owner)]
  const [first, second, third] = uploads.map(({ signedUrl }) => signedUrl)
  const slow = new PassThrough()
  slow.write(PNG.subarray(0, -1))
  const arriving = small.inject({
    method: 'PUT',
    url: pathOf(first ?? ''),
    headers: { 'content-type': 'image/png' },
    payload: slow,
  })
  const all = { bucket: 'pictures', path: 'all', size: PNG.length * 2 }
  while ((await owner.post('/files/upload-url', all)).status === 200);
  expect(outcomeOf(await small.put(second ?? ''))).toBe('200 stored')
  expect(outcomeOf(await small.put(third ?? ''))).toBe('409 storage_full')
  slow.end(PNG.subarray(-1))
  expect(outcomeOf(await arriving)).toBe('200 stored')
})

test('files of imports count towards the limit until they are removed', async () => {
  const owner = await small.org()
  const member = await owner.member('member')
  const importing = (text: string) =>
    member.post<{ id: string }>('/objects/people/imports', Buffer.from(text), { 'content-type': 'text/csv' })
  const room = PNG.length * 2
  const file = 'Name\n'.padEnd(PNG.length + 1, 'a')
  const { status, body } = await importing(file)
  expect(status).toBe(201)
  expect(outcomeOf(await small.put((await small.ask(owner)).signedUrl))).toBe('409 storage_full')
  const refused = await importing(file)
  expectError(refused, 'storage_full')
  expect(refused.body).toMatchObject({
    message: expect.stringContaining('FILES_BYTES_PER_ORGANIZATION'),
    details: { limitBytes: room, usedBytes: PNG.length + 1 },
  })
  expect((await member.delete(`/imports/${body.id}`)).status).toBe(200)
  expect(outcomeOf(await small.put((await small.ask(owner)).signedUrl))).toBe('200 stored')
})

test('a nearly full disk refuses files, and the error names the needed space', async () => {
  const owner = await nearlyFull.org()
  const { signedUrl } = await nearlyFull.ask(owner, { size: PNG.length })
  await (nearlyFull.ctx.cells.of(0).diskSpace as WatchedDiskSpace).look()
  const refused = await nearlyFull.put(signedUrl)
  expect(outcomeOf(refused)).toBe('503 unavailable')
  expect(refused.headers['retry-after']).toBe('10')
  expect(JSON.parse(refused.payload)).toMatchObject({
    message: expect.stringMatching(/^The disk for files is full \(.* free, .* needed\): tell the operator/),
    details: { reason: 'disk_full', neededBytes: Number.MAX_SAFE_INTEGER },
  })
  expect(await nearlyFull.onDisk()).toEqual([])
})

test('a disk that cannot be used causes 503, and the upload can be repeated', async () => {
  const owner = await broken.org()
  const folder = join(broken.dataDir, 'files')
  await writeFile(folder, 'in the way')
  const { signedUrl, publicUrl } = await broken.ask(owner)
  expect(outcomeOf(await broken.put(signedUrl))).toBe('503 unavailable')
  expect(await broken.rows(owner)).toMatchObject([{ state: 'waiting' }])
  await rm(folder)
  expect(outcomeOf(await broken.put(signedUrl))).toBe('200 stored')
  await rm(folder, { recursive: true })
  expect(outcomeOf(await broken.get(publicUrl))).toBe('404 not_found')
})
