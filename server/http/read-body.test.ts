import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { ByteHold } from './byte-budget.ts'
import { isEmptyBody, readBody } from './read-body.ts'

const hold = {
  grow: () => undefined,
  giveWay: () => undefined,
  release: () => undefined,
} as unknown as ByteHold
const request = { headers: { 'content-length': '5' }, routeOptions: { bodyLimit: 100 } } as FastifyRequest

async function ofClientThatLeft(): Promise<Readable> {
  const payload = new Readable({ read: () => undefined })
  payload.destroy()
  await once(payload, 'close')
  return payload
}

test('a body is refused when its client has disconnected before the read', async () => {
  await expect(readBody(request, await ofClientThatLeft(), hold)).rejects.toMatchObject({ status: 400 })
  expect(await isEmptyBody(await ofClientThatLeft())).toBe(true)
})

test('a body is refused when its client disconnects during the read', async () => {
  const payload = new Readable({ read: () => undefined })
  const body = readBody(request, payload, hold)
  payload.push('{"a')
  payload.destroy()
  await expect(body).rejects.toMatchObject({ status: 400 })
})
