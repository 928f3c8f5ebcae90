import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from './workspace.ts'

test('leftover files and folders are listed with some of their contents, and removed', async () => {
  const workspace = await openWorkspace(1_000_000)
  onTestFinished(workspace.clear)
  const { TMPDIR } = workspace.env
  await mkdir(join(TMPDIR, 'node-compile-cache'))
  expect(await workspace.leftovers()).toEqual([])
  await mkdir(join(TMPDIR, 'rapport-backup-1/data/postgres-run'), { recursive: true })
  expect(await workspace.leftovers()).toEqual([
    'left in the temporary folder: rapport-backup-1 (data, data/postgres-run)',
  ])
  for (const name of Array.from({ length: 20 }, (_, index) => `${index}`))
    await writeFile(join(TMPDIR, 'rapport-backup-1', name), '')
  await writeFile(join(TMPDIR, 'file'), '')
  const [file, folder] = (await workspace.leftovers()).sort()
  expect(file).toBe('left in the temporary folder: file')
  expect(folder?.split(', ')).toHaveLength(11)
  expect(folder).toMatch(/, …\)$/)
  await workspace.clear()
  await expect(stat(TMPDIR)).rejects.toThrow('ENOENT')
})
