// Files that commands write are complete or absent, and replace no device, pipe or link.
import { execFileSync } from 'node:child_process'
import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { writeToFile } from './output-file.ts'

const folder = await temporaryFolder('output')
const at = (name: string) => join(folder, name)

test('writes no incomplete file', async () => {
  await writeFile(at('kept'), 'before')
  const broken = writeToFile(at('kept'), async (write) => {
    await write('half')
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(await readFile(at('kept'), 'utf8')).toBe('before')
  expect(await readdir(folder)).toEqual(['kept'])
})

test('replaces the target of a link, and keeps the link', async () => {
  await writeFile(at('target'), 'before')
  await symlink('target', at('link'))
  await writeToFile(at('link'), (write) => write('after'))
  expect((await lstat(at('link'))).isSymbolicLink()).toBe(true)
  expect(await readFile(at('target'), 'utf8')).toBe('after')
})

test('writes into a pipe', async () => {
  execFileSync('mkfifo', [at('pipe')])
  const [text] = await Promise.all([
    readFile(at('pipe'), 'utf8'),
    writeToFile(at('pipe'), (write) => write('through')),
  ])
  expect(text).toBe('through')
  expect((await lstat(at('pipe'))).isFIFO()).toBe(true)
})
