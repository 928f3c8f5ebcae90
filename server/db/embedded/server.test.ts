import { appendFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { startLog } from './folder.ts'
import { waitUntilReady } from './server.ts'

test('the reason why a server ended is read, although it is written to the log after the end', async () => {
  const dataDir = await temporaryFolder('server')
  const folder = { dataDir, cluster: dataDir, run: dataDir, clusterName: 'rapport-test' }
  const log = startLog(folder)
  await writeFile(log, 'LOG:  redo starts at 0/7000028\n')
  let looks = 0
  const hasExited = () => {
    if (++looks === 2) appendFileSync(log, 'FATAL:  recovery ended before the target\n')
    return true
  }
  const server = {
    pid: undefined,
    exited: Promise.resolve('exit code 1'),
    hasExited,
    stop: async () => undefined,
  }
  await expect(waitUntilReady(server, { folder, connection: {}, onNotice: () => undefined })).rejects.toThrow(
    'recovery ended before the target',
  )
})
