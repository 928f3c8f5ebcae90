// Uploads that continue after a lost connection, at the offset that the service has received.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Import, ImportUpload } from '../../contract/imports.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'

const service = await buildTestService({ importMaxBytes: 8 * 1024 * 1024 })
const org = await service.org()
const member = await org.member('member')
const address = await service.app.listen({ port: 0, host: '127.0.0.1' })

const begin = async (): Promise<string> => {
  const reply = await member.post<ImportUpload>('/objects/people/import-uploads?fileName=people.csv')
  expect([reply.status, reply.body]).toMatchObject([201, { offset: 0, isComplete: false }])
  return reply.body.importId
}

const pathOf = (id: string, offset: number) => `/imports/${id}/upload?offset=${offset}`

const sendRest = (id: string, offset: number, bytes: Buffer) =>
  member.put<Import>(pathOf(id, offset), bytes, { 'content-type': 'text/csv' })

const stateOf = async (id: string) => (await member.get<ImportUpload>(`/imports/${id}/upload`)).body

const stored = (id: string) =>
  service.ctx.db.maybeOne<{ bytes: number }>(
    sql`select bytes::float8 as bytes from imports where org = ${org.org} and id = ${id}`,
  )

const ROW = 'Ada Lovelace,Zürich\n'
const HEADER = 'Name,City\n'
const ROWS = 40_000
const file = Buffer.from(`${HEADER}${ROW.repeat(ROWS)}`)

/** Sends the file, and ends the connection when a part of it is stored. */
async function sendAndLose(id: string): Promise<void> {
  const cut = new AbortController()
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(file.subarray(0, file.length / 2)),
    async pull() {
      await expect.poll(async () => (await stored(id))?.bytes).toBeGreaterThan(0)
      cut.abort()
    },
  })
  const url = `${address}/dashboard/api/organizations/org-${org.id}${pathOf(id, 0)}`
  const headers = { cookie: member.cookie, 'content-type': 'text/csv' }
  const sent = fetch(url, { method: 'PUT', headers, body, duplex: 'half', signal: cut.signal } as RequestInit)
  await expect(sent).rejects.toThrow('aborted')
}

test('keeps what it has received before the connection is lost, and continues there', async () => {
  const id = await begin()
  await sendAndLose(id)
  const { offset, isComplete } = await stateOf(id)
  expect([offset > 0, offset < file.length, isComplete]).toEqual([true, true, false])
  const refused = await sendRest(id, 0, file)
  expectError(refused, 'wrong_offset')
  expect(refused.body).toMatchObject({ details: { offset } })
  const { status, body } = await sendRest(id, offset, file.subarray(offset))
  expect([status, body]).toMatchObject([
    200,
    { id, state: 'uploaded', rows: ROWS, encoding: 'utf-8', bytes: file.length },
  ])
  expect(body.preview[0]).toEqual(['Ada Lovelace', 'Zürich'])
  expect(await stateOf(id)).toEqual({ importId: id, offset: file.length, isComplete: true })
  expectError(await sendRest(id, file.length, Buffer.alloc(0)), 'wrong_offset')
})

test('reads a file whose bytes had all arrived', async () => {
  const id = await begin()
  const whole = Buffer.from('Name\nJos\u00e9\n', 'latin1')
  await service.ctx.db.run(sql`
    with counted as (update imports set bytes = ${whole.length} where org = ${org.org} and id = ${id})
    insert into import_chunks (org, import, place, bytes) values (${org.org}, ${id}, 0, ${whole})`)
  const { body } = await sendRest(id, whole.length, Buffer.alloc(0))
  expect(body).toMatchObject({ state: 'uploaded', encoding: 'windows-1252', preview: [['José']] })
})

test('deletes a file that is refused, and one whose upload is cancelled', async () => {
  const refused = await begin()
  expectError(await sendRest(refused, 0, Buffer.from('Name\n')), 'validation_error')
  expectError(await member.get(`/imports/${refused}/upload`), 'not_found')
  const large = await begin()
  expectError(await sendRest(large, 0, Buffer.alloc(8 * 1024 * 1024 + 1, 'a,b\n')), 'payload_too_large')
  const cancelled = await begin()
  await sendAndLose(cancelled)
  expect((await member.delete(`/imports/${cancelled}`)).status).toBe(200)
  expect(await Promise.all([refused, large, cancelled].map(stored))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('is continued only by its member', async () => {
  const id = await begin()
  const other = await org.member('owner')
  expectError(await other.get(`/imports/${id}/upload`), 'not_found')
  expectError(await other.delete(`/imports/${id}`), 'not_found')
  expectError(
    await other.put(pathOf(id, 0), Buffer.from('Name\nA\n'), { 'content-type': 'text/csv' }),
    'not_found',
  )
  expectError(
    await member.put(pathOf(id, -1), Buffer.from('Name\nA\n'), { 'content-type': 'text/csv' }),
    'invalid_parameter',
  )
  expect(await stored(id)).toEqual({ bytes: 0 })
})
