import { expect, test } from 'vitest'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { upload } from './imports.fixture.ts'
import { readingPlaces } from './reading-places.ts'

const service = await sharedTestService()

const CSV = 'Name,Email\nAda,ada@example.com\n'

test('reads the files of an organization one after the other, and rejects a fourth waiting file', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const release = await readingPlaces.acquire(org.org)
  const waiting = [upload(member, CSV), upload(member, CSV), upload(member, CSV)]
  await expect.poll(() => readingPlaces.usage.waiting).toBe(3)
  expectError(await upload(member, CSV), 'rate_limit_exceeded')
  const stranger = await (await service.org()).member('member')
  expect((await upload(stranger, CSV)).status).toBe(201)
  release()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(201)
  const { body } = await member.get<{ imports: object[] }>('/objects/people/imports')
  expect(body.imports).toHaveLength(3)
})

test('a refused file releases its place', async () => {
  const org = await service.org()
  const member = await org.member('member')
  for (let count = 0; count < 3; count++) expectError(await upload(member, 'Name,Name\n'), 'validation_error')
  const release = readingPlaces.tryAcquire(org.org)
  expect(release).toBeTypeOf('function')
  release?.()
})
