// The sweep of files, their metrics, and the confirmation of uploads.
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import sql from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import { buildFileService, PNG } from './files.fixture.ts'
import { beginRound, confirmUploads, sweepFiles } from './jobs.ts'
import type { FileRow } from './store.ts'

const service = await buildFileService()
const { ctx, ask, put, get, stored } = service
const { signal } = new AbortController()
const HOUR_MS = 3600_000
const sweep = () => sweepFiles(ctx, signal, ctx.clock.now())

const figures = async () => {
  const { payload } = await service.inject({ url: '/metrics' })
  return (name: string) => new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(payload)?.[1]
}

/** Metrics of a cell have its number as a label. */
const CELL = ctx.cell === 0 ? '' : `,cell="${ctx.cell}"`

test('deletes the files of a deleted organization, with their counts', async () => {
  const [dropped, kept] = [await service.org(), await service.org()]
  await stored(dropped)
  await ask(dropped)
  const keptUrl = await stored(kept)
  const ofDropped = `rapport_files_organization_bytes{organization="${dropped.id}"${CELL}}`
  const ofKept = `rapport_files_organization_bytes{organization="${kept.id}"${CELL}}`
  const before = await figures()
  const total = (what: string) => `rapport_files_stored{what="${what}"${CELL}}`
  expect([before(total('files')), before(total('bytes'))]).toEqual(['2', `${PNG.length * 2}`])
  expect([before(ofDropped), before(ofKept)]).toEqual([`${PNG.length}`, `${PNG.length}`])
  await service.drop(dropped)
  await sweep()
  expect(await service.onDisk()).toEqual([expect.stringContaining(kept.id)])
  expect(await service.rows(dropped)).toEqual([])
  expect(
    await ctx.db.many(sql`select org from file_usage where org in (${dropped.org}, ${kept.org})`),
  ).toEqual([{ org: kept.org }])
  const after = await figures()
  expect([after(total('files')), after(ofDropped), after(ofKept)]).toEqual(['1', undefined, `${PNG.length}`])
  expect((await get(keptUrl)).statusCode).toBe(200)
})

test('a file that cannot be removed does not stop the others, and is tried again', async () => {
  const [stuck, dropped, kept] = [await service.org(), await service.org(), await service.org()]
  await stored(stuck)
  const [place = ''] = (await service.onDisk()).filter((file) => file.includes(stuck.id))
  await rm(place)
  await mkdir(join(place, 'in the way'), { recursive: true })
  await stored(dropped)
  await ask(kept)
  for (const org of [stuck, dropped]) await service.drop(org)
  service.advance(25 * HOUR_MS)
  await expect(sweep()).rejects.toMatchObject({ code: 'unavailable' })
  expect(await service.rows(stuck)).toHaveLength(1)
  expect([await service.rows(dropped), await service.rows(kept)]).toEqual([[], []])
  await rm(place, { recursive: true })
  await sweep()
  expect(await service.rows(stuck)).toEqual([])
})

test('an address expires after two hours, and an unused upload is forgotten after a day', async () => {
  const org = await service.org()
  const unused = await ask(org, { path: 'unused.png' })
  const used = await stored(org, { path: 'used.png' })
  service.advance(2 * HOUR_MS - 60_000)
  const late = await ask(org, { path: 'late.png' })
  service.advance(60_000)
  const refused = await put(unused.signedUrl)
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    expect.objectContaining({ error: 'upload_expired' }),
  ])
  expect((await put(late.signedUrl)).statusCode).toBe(200)
  service.advance(21 * HOUR_MS)
  await sweep()
  expect((await service.rows(org)).map(({ path }) => path)).toContain('unused.png')
  service.advance(HOUR_MS + 1000)
  await sweep()
  expect((await service.rows(org)).map(({ path }) => path)).toEqual(['used.png', 'late.png'])
  expect((await get(used)).rawPayload).toEqual(PNG)
  const again = await ask(org, { path: 'unused.png' })
  expect(again.publicUrl).not.toBe(unused.publicUrl)
  expect((await put(unused.signedUrl)).statusCode).toBe(403)
  expect((await put(again.signedUrl)).statusCode).toBe(200)
})

test('a repeated request keeps a waiting upload', async () => {
  const org = await service.org()
  const place = { path: 'patient.png' }
  const first = await ask(org, place)
  service.advance(23 * HOUR_MS)
  const second = await ask(org, place)
  service.advance(HOUR_MS)
  await sweep()
  expect(second.publicUrl).toBe(first.publicUrl)
  expect((await put(second.signedUrl)).statusCode).toBe(200)
})

test('deletes drafts without a write for a day', async () => {
  await stored(await service.org())
  const drafts = join(service.dataDir, 'files', '.drafts')
  const now = ctx.clock.now().getTime()
  for (const [name, ageMs] of [
    ['old', 25 * HOUR_MS],
    ['new', 23 * HOUR_MS],
  ] as const) {
    await writeFile(join(drafts, name), 'half a file')
    const at = new Date(now - ageMs)
    await utimes(join(drafts, name), at, at)
  }
  await sweep()
  expect((await service.onDisk()).filter((file) => file.startsWith(drafts))).toEqual([join(drafts, 'new')])
})

test('confirmUploads does nothing for files on a disk', async () => {
  const org = await service.org()
  await ask(org)
  service.advance(HOUR_MS)
  await confirmUploads(ctx, signal)
  expect(await service.rows(org)).toMatchObject([{ state: 'waiting' }])
})

const log = pino({ level: 'silent' })
const begin = () => beginRound({ log }, new AbortController().signal)
const filesOf = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ id: `${number}`, key: `key-${number}` }) as FileRow)
const failing = () => vi.fn(() => Promise.reject(new Error('away')))

test('each kind of work ends after ten failures in a row', async () => {
  const { each, end, failed } = begin()
  const work = failing()
  expect(await each(filesOf(200), work)).toBe(0)
  expect(work).toHaveBeenCalledTimes(10)
  expect(await each(filesOf(3), work)).toBe(3)
  expect(failed).toHaveLength(13)
  expect(end).toThrow('away')
})

test('scattered failures do not stop the round, and failed files are left out of later batches', async () => {
  const { each, end, failed } = begin()
  const work = vi.fn(({ id }: FileRow) =>
    Number(id) % 10 === 9 ? Promise.resolve() : Promise.reject(new Error(id)),
  )
  expect(await each(filesOf(200), work)).toBe(200)
  expect(work).toHaveBeenCalledTimes(200)
  expect(failed).toHaveLength(180)
  expect(end).toThrow('0')
})

test('a round without failures throws no error', async () => {
  const { each, end } = begin()
  expect(await each(filesOf(2), () => Promise.resolve())).toBe(2)
  expect(end).not.toThrow()
})
