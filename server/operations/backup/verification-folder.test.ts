import { mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { inCopyFolder, removeCopy, requireWorkFolder } from './verification-folder.ts'

const CHAIN = '20261123t000000z-0001'
const NAME = `rapport-verify-${CHAIN}`

const root = await temporaryFolder('copies')
let verifyDir: string
beforeEach(async () => {
  verifyDir = await mkdtemp(join(root, 'verify-'))
})

async function leaveCopy(): Promise<void> {
  await mkdir(join(verifyDir, NAME, 'data'), { recursive: true })
  await writeFile(join(verifyDir, NAME, 'data/rows'), 'secret')
}

test('only the service can read the copy, which is deleted after use', async () => {
  await leaveCopy()
  const seen = await inCopyFolder(verifyDir, CHAIN, async (folder) => ({
    mode: (await stat(folder)).mode & 0o777,
    names: await readdir(folder),
  }))
  expect(seen).toEqual({ mode: 0o700, names: [] })
  expect(await readdir(verifyDir)).toEqual([])
})

test('the copy of a killed process is removed, the copy of another installation is kept', async () => {
  await leaveCopy()
  await removeCopy(verifyDir, '20261123t000000z-0002')
  expect(await readdir(verifyDir)).toEqual([NAME])
  await removeCopy(verifyDir, CHAIN)
  expect(await readdir(verifyDir)).toEqual([])
  await removeCopy(verifyDir, CHAIN)
})

test('a folder of another account is refused and left unchanged', async () => {
  await leaveCopy()
  const other = (process.getuid?.() ?? 0) + 1
  await expect(removeCopy(verifyDir, CHAIN, other)).rejects.toThrow('belongs to another account: remove it')
  expect(await readdir(verifyDir)).toEqual([NAME])
})

test('a folder that does not exist is not made, and the error names the setting', async () => {
  const missing = join(verifyDir, 'missing')
  await expect(requireWorkFolder(missing)).rejects.toThrow(/make it or mount its disk.* by BACKUP_VERIFY_DIR/)
  expect(await readdir(verifyDir)).toEqual([])
  await writeFile(missing, '')
  await expect(requireWorkFolder(missing)).rejects.toThrow('is not a folder: set BACKUP_VERIFY_DIR')
  await requireWorkFolder(verifyDir)
})
