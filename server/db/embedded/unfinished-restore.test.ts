import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { rapportCommand } from '../../base/command-name.ts'
import { noDatabase } from '../../operations/diagnosis/examine.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolder } from './folder.ts'
import { RESTORE_STATE, UNFINISHED_RESTORE } from './unfinished-restore.ts'

const root = await temporaryFolder('unfinished')
let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(root, 'data-'))
  await mkdir(join(dataDir, UNFINISHED_RESTORE))
})

const COMMAND = 'npx rapport restore --backup b --data-dir /data'

test('the folder of an interrupted restore is refused, with the command that continues the restore', async () => {
  const state = JSON.stringify({ command: COMMAND })
  await writeFile(join(dataDir, UNFINISHED_RESTORE, RESTORE_STATE), state)
  const opening = openFolder(dataDir)
  await expect(opening).rejects.toThrow(/contains a restore that has not ended/)
  await expect(opening).rejects.toThrow(`run "${COMMAND}" to continue it`)
  expect(await readdir(dataDir)).toEqual([UNFINISHED_RESTORE])
  expect(await noDatabase({ dataDir })).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(/contains a restore that has not ended$/),
    advice: expect.stringContaining(COMMAND),
  })
})

test('the error names the plain restore command if the restore has not written its command', async () => {
  await expect(openFolder(dataDir)).rejects.toThrow(`"${rapportCommand()} restore --data-dir ${dataDir}"`)
  expect(await noDatabase({ dataDir: join(root, 'new') })).toMatchObject({ status: 'warn' })
})

test('a restore counts as ended when the database is in its place', async () => {
  await mkdir(join(dataDir, 'postgres'))
  expect(await openFolder(dataDir)).toMatchObject({ cluster: join(dataDir, 'postgres') })
})
