// Sends files over real connections: whole, in parts, and to clients that disconnect.
import { randomBytes } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { buildFileService, pathOf } from './files.fixture.ts'

const service = await buildFileService()
const org = await service.org()
const bytes = randomBytes(4_000_000)

const { signedUrl, publicUrl } = await service.ask(org)
const stored = await service.put(signedUrl, bytes, { 'content-type': 'application/octet-stream' })
expect(stored.statusCode).toBe(200)
const url = new URL(pathOf(publicUrl), await service.app.listen({ port: 0, host: '127.0.0.1' })).href

/** The service's files that this process has open. */
async function openFiles(): Promise<string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return links.filter((path) => path.startsWith(service.dataDir))
}

const begin = () => new Promise<IncomingMessage>((resolve, reject) => get(url, resolve).on('error', reject))

test('each of many concurrent requests gets the whole file', async () => {
  const bodies = await Promise.all(
    Array.from({ length: 8 }, async () => Buffer.from(await (await fetch(url)).arrayBuffer())),
  )
  expect(bodies.map((body) => body.equals(bytes))).toEqual(Array.from({ length: 8 }, () => true))
  await expect.poll(openFiles).toEqual([])
})

test('a range returns its part, with the usual headers', async () => {
  const part = await fetch(url, { headers: { range: 'bytes=1000000-2999999' } })
  expect([part.status, part.headers.get('content-length')]).toEqual([206, '2000000'])
  expect(part.headers.get('x-request-id')).toBeTruthy()
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1_000_000, 3_000_000))).toBe(true)
})

test('a slow reader gets the whole file', async () => {
  const response = await begin()
  response.pause()
  await expect.poll(openFiles).toHaveLength(1)
  expect(Buffer.concat(await response.toArray()).equals(bytes)).toBe(true)
})

test('the file is closed when the client disconnects', async () => {
  const response = await begin()
  response.on('error', () => undefined)
  await expect.poll(openFiles).toHaveLength(1)
  response.destroy()
  await expect.poll(openFiles).toEqual([])
})
