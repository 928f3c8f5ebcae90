// How jobs read CSV files: settings of the job, formats detected from the file, and refused files.
import { describe, expect, test } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, queuedJob, resultsOf, sendPiece, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const CSV = { format: 'csv' as const, objectId: 'things' }

async function withThings(): Promise<Org> {
  const org = await service.org()
  await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
  const attributes = [
    { name: 'Name', type: 'text', isUnique: true },
    { name: 'Amount', type: 'number' },
    { name: 'Day', type: 'date' },
  ]
  for (const attribute of attributes)
    expect((await org.post('/objects/things/attributes', attribute)).status).toBe(201)
  return org
}

async function run(org: Org, file: string | Buffer, body: Partial<NewJob> = {}) {
  const job = await queuedJob(org, file, { ...CSV, ...body })
  await work(service, org, job)
  return jobOf(org, job)
}

const things = async (org: Org) =>
  (await org.get<RecordList>('/objects/things/records?order=asc')).body.records.map(({ data }) => data)

const MIXED = Buffer.concat([Buffer.from('Name\nZoë Müller\n'), Buffer.from('Jos\u00e9,\u00c3\n', 'latin1')])
const CUT = Buffer.from('Name\nZoë Müller\nJosé').subarray(0, -1)
const LOCAL = 'Name;Amount;Day\na;1.234,5;31/12/2026\nb;2;1/2/2026\n'

describe('dates and decimals', () => {
  test('have the formats of requests, unless the job sets others', async () => {
    const org = await withThings()
    const plain = await run(org, 'Name,Amount,Day\nplain,1.5,2026-12-31\n')
    expect(plain.reading).toEqual({
      ...{ encoding: 'utf-8', delimiter: ',', dates: 'ymd', decimal: '.', emptyCells: 'keep' },
    })
    const failing = await run(org, LOCAL)
    expect(failing).toMatchObject({ progress: { failed: 2 }, reading: { dates: 'ymd', decimal: '.' } })
    const german = await run(org, LOCAL, { dates: 'dmy', decimal: ',' })
    expect(german).toMatchObject({ progress: { created: 2 }, reading: { dates: 'dmy', decimal: ',' } })
    const american = await run(org, 'Name,Amount,Day\nc,"1,234.5",12/31/2026\n', { dates: 'mdy' })
    expect(american).toMatchObject({ progress: { created: 1 }, reading: { dates: 'mdy', decimal: '.' } })
    expect(await things(org)).toEqual([
      { name: 'plain', amount: 1.5, day: '2026-12-31' },
      { name: 'a', amount: 1234.5, day: '2026-12-31' },
      { name: 'b', amount: 2, day: '2026-02-01' },
      { name: 'c', amount: 1234.5, day: '2026-12-31' },
    ])
  })

  test('are detected from the file with auto, when the upload is complete', async () => {
    const org = await withThings()
    const job = await createdJob(org, { ...CSV, dates: 'auto', decimal: 'auto' })
    expect(job.reading).toMatchObject({ encoding: null, delimiter: null, dates: 'auto', decimal: 'auto' })
    await sendPiece(org, job, LOCAL)
    expect((await jobOf(org, job)).reading).toMatchObject({ delimiter: ';', dates: 'dmy', decimal: ',' })
    await work(service, org, job)
    expect(await things(org)).toMatchObject([
      { amount: 1234.5, day: '2026-12-31' },
      { amount: 2, day: '2026-02-01' },
    ])
  })

  test('are detected from the first 1,000 rows with auto', async () => {
    const org = await withThings()
    const days = (count: number, last: string) =>
      Array.from({ length: count }, (_, nr) => `n${nr};${1 + nr}.000;${1 + (nr % 12)}/02/2026\n`).concat(last)
    const auto = { dates: 'auto', decimal: 'auto' } as const
    const read = async (count: number) => {
      const file = `Name;Amount;Day\n${days(count, 'z;1,5;28/02/2026\n').join('')}`
      const job = await createdJob(org, { ...CSV, ...auto })
      await sendPiece(org, job, file)
      return (await jobOf(org, job)).reading
    }
    expect(await read(999)).toMatchObject({ dates: 'dmy', decimal: ',' })
    expect(await read(1000)).toMatchObject({ dates: 'mdy', decimal: '.' })
  })

  test('are detected separately', async () => {
    const org = await withThings()
    const reading = { dates: 'dmy', decimal: '.' } as const
    expect((await run(org, LOCAL, { dates: 'auto', decimal: '.' })).reading).toMatchObject(reading)
    expect((await run(org, LOCAL, { dates: 'mdy', decimal: 'auto' })).reading).toMatchObject({
      dates: 'mdy',
      decimal: ',',
    })
  })
})

test('empty cells keep values, unless the job clears them', async () => {
  const org = await withThings()
  const matchOn = 'name'
  await run(org, 'Name,Amount,Day\na,1,2026-12-31\n')
  const empty = 'Name,Amount\na,\n'
  await run(org, empty, { matchOn })
  expect(await things(org)).toEqual([{ name: 'a', amount: 1, day: '2026-12-31' }])
  const cleared = await run(org, empty, { matchOn, emptyCells: 'clear' })
  expect(cleared.reading).toMatchObject({ emptyCells: 'clear' })
  expect(await things(org)).toEqual([{ name: 'a', day: '2026-12-31' }])
})

describe('the encoding', () => {
  test.each([
    ['utf-8', Buffer.from('Name\né€𝄞\n')],
    ['utf-8', Buffer.from('\ufeffName\né€𝄞\n')],
    ['utf-16le', Buffer.from('\ufeffName\né€𝄞\n', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffName\né€𝄞\n', 'utf16le').swap16()],
  ])('is detected in pieces of one byte: %s', async (encoding, file) => {
    const org = await withThings()
    const job = await createdJob(org, CSV)
    for (const [offset] of file.entries()) {
      const complete = offset === file.length - 1 ? '?1' : '?0'
      const piece = await sendPiece(org, job, file.subarray(offset, offset + 1), { offset, complete })
      expect(piece.status).toBe(200)
    }
    await work(service, org, job)
    expect((await jobOf(org, job)).reading).toMatchObject({ encoding })
    expect(await things(org)).toEqual([{ name: 'é€𝄞' }])
  })

  test('is detected from the whole file', async () => {
    const org = await withThings()
    const rows = Array.from({ length: 5000 }, (_, nr) => `Thing number ${nr},${nr}\n`)
    const file = Buffer.from(`Name,Amount\n${rows.join('')}Z\xfcrich,1`, 'latin1')
    const job = await createdJob(org, CSV)
    await sendPiece(org, job, file)
    expect((await jobOf(org, job)).reading).toMatchObject({ encoding: 'windows-1252' })
    await work(service, org, job, undefined, { rows: 1000, took: () => undefined })
    const { body } = await org.get<RecordList>('/objects/things/records?filter[name][equals]=Zürich')
    expect(body.records).toHaveLength(1)
  })

  test('is UTF-8 if all bytes are valid UTF-8, also with control characters', async () => {
    const org = await withThings()
    const job = await run(org, 'Name\n"a\u0001b"\n')
    expect(job.reading).toMatchObject({ encoding: 'utf-8' })
    expect(job.progress).toMatchObject({ created: 1 })
  })

  test.each([
    ['an Excel workbook', Buffer.from('PK\u0003\u0004\u0000\u0000\u00ff', 'latin1'), /an Excel workbook/],
    ['bytes that are no text', Buffer.from('Name\na\u0000\n'), /not a text file/],
    ['UTF-8 only by its mark', Buffer.from('\u00ef\u00bb\u00bfName\n\u00fc\n', 'latin1'), /marked as UTF-8/],
    ['half a character of UTF-16', Buffer.from('\ufeffName\na\n', 'utf16le').subarray(1), /not a text file/],
    ['only empty lines', Buffer.from('\n\n\n'), /must have a row with the names of the columns/],
    ['bytes that are no UTF-8 after some that are', MIXED, /is UTF-8 up to line 3, which has other bytes/],
    [
      'a header that cannot be read',
      Buffer.from('Na"me,Amount\na,1\n'),
      /The header on line 1 cannot be read: a quote begins inside the cell: put .* in it, cancel this job/,
    ],
    ['a first line without headers', Buffer.from(' ,\na,1\n'), /The first line has no headers/],
    ['more columns than are imported', Buffer.from(`Name${','.repeat(600)}\na\n`), /more than 500 columns/],
    ['half a character after whole ones', CUT, /is UTF-8 up to line 3, which has .* half a character/],
  ])('refuses %s, and asks for another job with the corrected file', async (_, file, message) => {
    const org = await withThings()
    const job = await createdJob(org, CSV)
    const refused = await sendPiece(org, job, file)
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({
      message: expect.stringMatching(message),
      details: {
        errors: [{ path: '', message: expect.stringMatching(/, cancel this job, and create another/) }],
      },
    })
    expect(await jobOf(org, job)).toMatchObject({ status: 'awaiting_upload' })
    expect(await things(org)).toEqual([])
  })

  test('is Windows-1252 if its words contain valid UTF-8 sequences only by chance', async () => {
    const org = await withThings()
    const words = [
      '\u0084Spa\u00df\u0093 f\u00fcr',
      '\u0091CAF\u00c9\u0092',
      '\u00ab caf\u00e9\u00a0\u00bb \u00e0',
    ]
    const job = await run(org, Buffer.from(`Name\n${words.join('\n')}\n`, 'latin1'))
    expect(job.reading).toMatchObject({ encoding: 'windows-1252' })
    expect((await things(org)).map(({ name }) => name)).toEqual(['„Spaß“ für', '‘CAFÉ’', '« café\u00a0» à'])
  })

  test.each(['utf-16le', 'utf-16be'])('%s gives no number of rows until the end', async (name) => {
    const org = await withThings()
    // The code units of U+0A0A and U+010A contain the byte of a line break.
    const file = Buffer.from('\ufeffName\n\u0a0a\u010a\n', 'utf16le')
    const job = await createdJob(org, CSV)
    await sendPiece(org, job, name === 'utf-16be' ? file.swap16() : file)
    expect(await jobOf(org, job)).toMatchObject({ reading: { encoding: name }, progress: { total: null } })
    await work(service, org, job)
    expect((await jobOf(org, job)).progress).toMatchObject({ done: 1, total: 1, created: 1 })
  })

  test('can be Windows-1252, and an invalid row then fails only itself', async () => {
    const org = await withThings()
    const job = await run(org, Buffer.from('Name,Amount\n\xe9,1\n\xe8,many\n', 'latin1'))
    expect(await things(org)).toEqual([{ name: 'é', amount: 1 }])
    expect(await resultsOf(service, org, job, 'failed')).toMatchObject([{ line: 3, attribute: 'amount' }])
  })
})

describe('a job', () => {
  test.each([
    [{ dates: 'auto' }, 'dates'],
    [{ decimal: ',' }, 'decimal'],
    [{ emptyCells: 'clear' }, 'emptyCells'],
    [{ columns: {} }, 'columns'],
  ])('of JSON lines accepts no %j', async (field, path) => {
    const org = await service.org()
    const refused = await org.post('/jobs', { type: 'import', objectId: 'people', ...field })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path, code: 'not_allowed' }] } })
  })

  test.each([
    [{ dates: 'dym' }, 'dates'],
    [{ decimal: ';' }, 'decimal'],
    [{ emptyCells: true }, 'emptyCells'],
  ])('refuses %j', async (field, path) => {
    const org = await service.org()
    const refused = await org.post('/jobs', { type: 'import', objectId: 'people', format: 'csv', ...field })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test('of another type or format has no reading settings', async () => {
    const org = await service.org()
    const others = [{}, { type: 'export' as const, format: 'csv' as const }]
    for (const other of others) expect((await createdJob(org, other)).reading).toBeNull()
    expectError(
      await org.post('/jobs', { type: 'export', objectId: 'people', format: 'csv', dates: 'dmy' }),
      'validation_error',
    )
  })
})
