import { appendFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startLog } from './folder.ts'
import { waitUntilReady } from './server.ts'

test('the reason why a server ended is read, although it is written to the log after the end', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-server-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
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
