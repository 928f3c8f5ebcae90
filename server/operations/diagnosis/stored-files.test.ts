// The doctor looks for files of the database in the store of this machine.
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { buildFileService } from '../../files/files.fixture.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { checkStoredFiles } from './stored-files.ts'

const { ctx, dataDir, org: makeOrg, stored, onDisk } = await buildFileService()
const other = await temporaryFolder('other')

const examine = (folder: string) => checkStoredFiles(readConfig({ DATA_DIR: folder }), ctx.db)

test('names files that this machine does not have', async () => {
  const org = await makeOrg()
  await org.post('/files/upload-url', { bucket: 'pictures', path: 'never uploaded.png' })
  expect(await examine(dataDir)).toMatchObject([{ status: 'ok', detail: expect.stringContaining('0 files') }])
  for (let count = 0; count < 3; count++) await stored(org)
  expect(await examine(dataDir)).toEqual([
    { check: 'stored files', status: 'ok', detail: `3 files looked for, all in ${dataDir}/files` },
  ])
  const [lost = ''] = await onDisk()
  await rm(lost)
  const key = lost.slice(`${dataDir}/files/`.length)
  expect(await examine(dataDir)).toMatchObject([
    { status: 'fail', detail: `of 3 files looked for, 1 is missing in ${dataDir}/files, such as ${key}` },
  ])
  expect(await examine(other)).toMatchObject([
    {
      detail: expect.stringContaining(`3 are missing in ${other}/files`),
      advice: expect.stringContaining('S3_BUCKET'),
    },
  ])
})
