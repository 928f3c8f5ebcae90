import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { readKeyFile } from './key-file.ts'

const folder = await temporaryFolder('key-file')

test('two processes that create the file concurrently both get the secret of the first', async () => {
  const path = join(folder, 'made', 'key')
  const second = readKeyFile(path, () => {
    expect(readKeyFile(path, () => 'first')).toBe('first')
    return 'second'
  })
  expect(second).toBe('first')
  expect(readKeyFile(path, () => 'third')).toBe('first')
  expect(await readdir(join(folder, 'made'))).toEqual(['key'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('an empty file is rejected', async () => {
  await writeFile(join(folder, 'empty'), '\n')
  expect(() => readKeyFile(join(folder, 'empty'), () => 'new')).toThrow(/is empty/)
})
