import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { create, Header } from 'tar'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { extractTar } from './tar.ts'

const folder = await temporaryFolder('tar')
let targets = 0

/** Unpacks the archive in pieces with arbitrary boundaries. @returns the folder */
async function unpack(archive: Buffer): Promise<string> {
  const target = join(folder, `target-${targets++}`)
  await mkdir(target)
  const pieces = async function* () {
    for (let at = 0; at < archive.length; at += 1500) yield archive.subarray(at, at + 1500)
  }
  await extractTar(pieces(), target)
  return target
}

await mkdir(join(folder, 'source/base/1'), { recursive: true })
await writeFile(join(folder, 'source/base/1/1259'), Buffer.alloc(20_000, 'x'))
await writeFile(join(folder, 'source/PG_VERSION'), '18\n')
const archiveOf = async (...names: string[]) =>
  buffer(create({ cwd: join(folder, 'source'), portable: true }, names))
const whole = await archiveOf('base', 'PG_VERSION')

const MANY = 200
for (let file = 0; file < MANY; file++) await writeFile(join(folder, 'source/base/1', `2_${file}`), 'rows')

/** An archive of one empty file. */
function archiveNaming(path: string): Buffer {
  const block = Buffer.alloc(512)
  new Header({ path, type: 'File', size: 0, mode: 0o600 }).encode(block, 0)
  return Buffer.concat([block, Buffer.alloc(1024)])
}

test('restores files and folders unchanged', async () => {
  const target = await unpack(whole)
  expect(await readFile(join(target, 'base/1/1259'))).toEqual(Buffer.alloc(20_000, 'x'))
  expect(await readFile(join(target, 'PG_VERSION'), 'utf8')).toBe('18\n')
})

test.each(['../outside', '/outside', 'base/../../outside'])('refuses to write %s', async (path) => {
  await expect(unpack(archiveNaming(path))).rejects.toThrow(`names a file outside its folder, ${path}`)
})

test('a refused entry after a file in the same piece gives the same error', async () => {
  const file = (await archiveOf('PG_VERSION')).subarray(0, 1024)
  await expect(unpack(Buffer.concat([file, archiveNaming('../outside')]))).rejects.toThrow(
    'names a file outside its folder, ../outside',
  )
})

test('refuses links, which could lead outside the folder', async () => {
  await symlink('/tmp', join(folder, 'source/pg_wal'))
  await expect(unpack(await archiveOf('pg_wal'))).rejects.toThrow('an entry of an unknown kind, pg_wal')
})

test('refuses an archive with a damaged header', async () => {
  const damaged = Buffer.from(whole)
  damaged[10] = 0xff
  await expect(unpack(damaged)).rejects.toThrow('The archive of the database is damaged')
})

test('refuses an archive that is cut off', async () => {
  await expect(unpack(whole.subarray(0, 5000))).rejects.toThrow('The archive of the database is damaged')
})

const many = (await archiveOf('base')).subarray(0, -1024)
const refused = Buffer.concat([many, archiveNaming('../outside')])
const inTheMiddle = many.subarray(0, -512)

async function* breakOff(archive: Buffer) {
  yield archive
  throw new Error('the store does not respond')
}

async function* onlyOf(archive: Buffer) {
  yield archive
}

describe('an archive that fails after many files: all files are written before the error is thrown', () => {
  test.each([
    ['another entry is refused', onlyOf(refused), /outside its folder/],
    ['the store fails in the middle of a file', breakOff(inTheMiddle), /does not respond/],
    ['it is cut off', onlyOf(inTheMiddle), /is damaged/],
  ])('%s', async (_, stream, reason) => {
    const target = join(folder, `target-${targets++}`)
    await mkdir(target)
    await expect(extractTar(stream, target)).rejects.toThrow(reason)
    expect(await readdir(join(target, 'base/1'))).toHaveLength(MANY + 1)
  })
})
