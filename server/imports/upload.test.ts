import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Import } from '../../contract/imports.ts'
import { newId } from '../base/id.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'
import { imported, mapping, upload, uploaded } from './imports.fixture.ts'
import { readBatches } from './rows.ts'
import { uploadFile } from './upload.ts'

const service = await buildTestService({ importMaxBytes: 8 * 1024 * 1024 })
const org = await service.org()
const member = await org.member('member')

const callerOf = ({ org: number, id, userId }: Org) => ({
  org: number,
  orgId: id,
  userId,
  keyId: null,
  country: 'US',
  currency: 'USD',
})

test.each<[string, string | Buffer, RegExp]>([
  ['nothing', '', /empty/],
  ['only a header', 'Name,Email\n', /no rows/],
  ['blank headers', ',,\n1,2,3\n', /no headers/],
  ['a header twice', 'Name,Email,Name\na,b,c\n', /Columns 1 and 3 both have the header "Name"/],
  ['a broken header', '"Name,Email\na,b\n', /header on line 1 cannot be read/],
  [
    'too many columns',
    `${Array.from({ length: 501 }, (_, index) => `c${index}`).join(',')}\n`,
    /more than 500 columns/,
  ],
  ['a workbook', Buffer.from('PK\u0003\u0004\u0014\u0000rest'), /Excel workbook/],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /not a text file/],
  ['a zero in the text', 'Name\na\u0000b\n', /not a text file/],
  ['half a character of UTF-16', Buffer.from([0xff, 0xfe, 0x41]), /not a text file/],
  [
    'invalid UTF-8 with a byte order mark',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('a\né\n', 'latin1')]),
    /marked as UTF-8/,
  ],
  ['a row without an end', `Name\n"${'x'.repeat(4_500_000)}\n`, /quote in it is not closed/],
])('%s is refused', async (_, file, message) => {
  const reply = await upload(member, file)
  expectError(reply, 'validation_error')
  expect((reply.body as unknown as { message: string }).message).toMatch(message)
})

test('a blank file name is refused', async () => {
  const path = '/objects/people/imports?fileName=%20'
  expectError(await upload(member, 'Name\na\n', path), 'invalid_parameter')
})

test('refuses a file that is too large, and stores nothing', async () => {
  const stranger = await service.org()
  const big = Buffer.alloc(8 * 1024 * 1024 + 1, 'a,b\n')
  expectError(await upload(await stranger.member('member'), big), 'payload_too_large')
  expect(await service.ctx.db.many(sql`select id from imports where org = ${stranger.org}`)).toEqual([])
})

test('accepts only CSV, and only for existing, active objects', async () => {
  expectError(await member.post('/objects/people/imports', { a: 1 }), 'unsupported_media_type')
  expectError(await upload(member, 'Name\nAda\n', '/objects/ships/imports'), 'not_found')
  const other = await service.org()
  const owner = await other.member('owner')
  await service.ctx.db.run(
    sql`update objects set is_active = false, version = nextval('object_versions') where org = ${other.org} and slug = 'people'`,
  )
  expectError(await upload(owner, 'Name\nAda\n'), 'object_inactive')
  expectError(await upload(member, 'Name\nAda\n', '/objects/people/imports?name=x'), 'invalid_parameter')
  expectError(await upload(member, 'Name\nAda\n', '/objects/people/imports?fileName=%00'), 'validation_error')
})

const NAMES = 'Name;City\nJosé;Zürich\nŁ;’s-Hertogenbosch\n'
const western = Buffer.from('Name;City\nJos\u00e9;Z\u00fcrich\nL;\u0092s-Hertogenbosch\n', 'latin1')
const swapped = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()

test.each<[string, string | Buffer, string, string]>([
  ['UTF-8', NAMES, 'utf-8', 'Ł'],
  ['UTF-8 with a mark', `\ufeff${NAMES}`, 'utf-8', 'Ł'],
  ['UTF-16 LE', Buffer.from(`\ufeff${NAMES}`, 'utf16le'), 'utf-16le', 'Ł'],
  ['UTF-16 LE without a mark', Buffer.from(NAMES, 'utf16le'), 'utf-16le', 'Ł'],
  ['UTF-16 BE', swapped(NAMES), 'utf-16be', 'Ł'],
  ['Windows-1252', western, 'windows-1252', 'L'],
])('%s is read', async (_, file, encoding, second) => {
  const body = await uploaded(member, file)
  expect(body).toMatchObject({ encoding, delimiter: ';', columns: [{ header: 'Name' }, { header: 'City' }] })
  expect(body.preview).toEqual([
    ['José', 'Zürich'],
    [second, '’s-Hertogenbosch'],
  ])
})

test.each([
  ['Name,Note\nAda,"a;b;c;d"\n', ','],
  ['Name\tNote\nAda\ta,b,c\n', '\t'],
  ['Name;Note\nAda;1,5\nBob;2,5\n', ';'],
  ['Name\nAda\n', ','],
])('%j is separated by %j', async (file, delimiter) => {
  expect((await uploaded(member, file)).delimiter).toBe(delimiter)
})

test('the last line can decide the encoding of the whole file', async () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => `Person ${index}`).join('\n')
  const file = Buffer.concat([Buffer.from(`Name\n${rows}\n`), Buffer.from('Jos\u00e9\n', 'latin1')])
  expect(await uploaded(member, file)).toMatchObject({ encoding: 'windows-1252', rows: 40_001 })
})

test('separates rows whose texts have quotes, line breaks and formulas', async () => {
  const text = 'Name,Email\n"Ada ""A"", L",\'=1+1@x.example\n"=cmd()\nx",nowhere\n'
  const file: Import = await imported(service, await (await service.org()).member('member'), {
    text,
    mapping: mapping('name', 'email'),
  })
  expect(file.progress).toMatchObject({ created: 1, failed: 1 })
})

/** A file of 100,000 rows, generated in pieces. */
async function* manyRows() {
  yield Buffer.from('Name,Email,Note\n')
  for (let start = 0; start < 100_000; start += 100) {
    const rows = Array.from(
      { length: 100 },
      (_, index) => `P ${start + index},p${start + index}@example.com,some words\n`,
    )
    yield Buffer.from(rows.join(''))
  }
}

test('stores and reads a file of 100,000 rows in pieces', async () => {
  const many = await service.org()
  const { ctx } = service
  const id = await uploadFile(ctx, callerOf(many), 'people', { fileName: newId(), source: manyRows() })
  const chunks = await ctx.db.one<{
    count: number
    largest: number
    bytes: number
    size: number
    rows: number
  }>(sql`
    select count(*) as count, max(length(c.bytes)) as largest, sum(length(c.bytes))::int as bytes, i.bytes as size, i.rows
    from imports i join import_chunks c on c.org = i.org and c.import = i.id where i.id = ${id} group by i.bytes, i.rows`)
  expect(chunks.rows).toBe(100_000)
  expect(chunks.largest).toBe(256 * 1024)
  expect(chunks.count).toBe(Math.ceil(chunks.size / (256 * 1024)))
  expect(chunks.bytes).toBe(chunks.size)

  // Reading stops after the requested batch: only one batch and the buffers of streams are read ahead.
  let read = 0
  const counting = {
    ...ctx.db,
    maybeOne: <Row>(query: Parameters<typeof ctx.db.maybeOne>[0]) => {
      read++
      return ctx.db.maybeOne<Row>(query)
    },
  }
  const file = { org: many.org, id, encoding: 'utf-8', delimiter: ',' } as const
  for await (const { start, rows } of readBatches(counting, file, { from: 0, size: batchesOf(500) })) {
    expect({ start, rows: rows.length }).toEqual({ start: 0, rows: 500 })
    break
  }
  expect(read).toBeLessThan(6)
  let total = 0
  for await (const { start, rows } of readBatches(ctx.db, file, { from: 99_000, size: batchesOf(300) })) {
    expect(start).toBe(99_000 + total)
    total += rows.length
  }
  expect(total).toBe(1000)
})

const address = await service.app.listen({ port: 0, host: '127.0.0.1' })
const uploadTo = (body: NonNullable<RequestInit['body']>, signal?: AbortSignal) =>
  fetch(`${address}/dashboard/api/organizations/org-${org.id}/objects/people/imports`, {
    method: 'POST',
    headers: { cookie: member.cookie, 'content-type': 'text/csv' },
    body,
    duplex: 'half',
    ...(signal && { signal }),
  } as RequestInit)

test('a client that is still sending receives the refusal', async () => {
  const workbook = Buffer.alloc(6 * 1024 * 1024)
  workbook.write('PK\u0003\u0004')
  const response = await uploadTo(workbook)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'validation_error' })
})

test('an interrupted upload leaves nothing in the database', async () => {
  const before = await service.ctx.db.one(sql`select count(*) as count from imports where org = ${org.org}`)
  const cut = new AbortController()
  const piece = Buffer.alloc(512 * 1024, 'a,b\n')
  const stream = new ReadableStream({
    async pull(controller) {
      const stored = await service.ctx.db.maybeOne(sql`
        select from imports i join import_chunks c on c.org = i.org and c.import = i.id
        where i.org = ${org.org} and i.state = 'uploading'`)
      if (stored) cut.abort()
      else controller.enqueue(piece)
    },
  })
  await expect(uploadTo(stream, cut.signal)).rejects.toThrow('aborted')
  await expect
    .poll(() => service.ctx.db.one(sql`select count(*) as count from imports where org = ${org.org}`))
    .toEqual(before)
})
