import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { askServices } from './ask-service.ts'
import { answerCommands } from './socket.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-socket-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A service on `dataDir` that answers what it is asked with an error. */
async function startFailing(dataDir: string): Promise<void> {
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const config = readConfig(env)
  const database = { connection: {}, embedded: undefined }
  const processes = () => {
    throw new Error('the states are not known')
  }
  const log = createLog(config)
  onTestFinished(await answerCommands({ config, env, database, processes }, log))
}

const FAILED = {
  ...{ check: 'service', status: 'fail' },
  detail: `the process ${process.pid} of the service could not examine itself: the states are not known`,
}

test('a service that fails to examine itself does not count as silent', async () => {
  const dataDir = await newFolder()
  await startFailing(dataDir)
  expect(await askServices(dataDir)).toMatchObject({ answers: [], problems: [FAILED] })
})
