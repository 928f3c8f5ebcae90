import { once } from 'node:events'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { createLog } from '../log.ts'
import { askServices } from './ask-service.ts'
import { answerCommands } from './socket.ts'
import { socketFolder } from './socket-path.ts'

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder('socket')
  return folder
}

/** A service on `dataDir` that answers every report with an error. */
async function startFailing(dataDir: string): Promise<void> {
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const config = readConfig(env)
  const database = { connection: {}, embedded: undefined }
  const disks = { volumes: [], writableSeconds: 0 }
  const processes = () => {
    throw new Error('the states are not known')
  }
  const log = createLog(config)
  onTestFinished(await answerCommands({ config, env, database, disks, processes }, log))
}

const FAILED = {
  ...{ check: 'service', status: 'fail' },
  detail: `the process ${process.pid} of the service could not examine itself: the states are not known`,
}

test('a service that cannot examine itself is reported as failing, not as silent', async () => {
  const dataDir = await newFolder()
  await startFailing(dataDir)
  expect(await askServices(dataDir)).toMatchObject({ answers: [], problems: [FAILED] })
})

/** Makes the socket that a killed process leaves behind. */
async function leaveSocket(dataDir: string, name: string): Promise<void> {
  const folder = socketFolder(dataDir)
  await mkdir(folder, { recursive: true })
  const [first, left] = [join(folder, 'first'), join(folder, name)]
  const server = createServer().listen(first)
  await once(server, 'listening')
  await rename(first, left)
  await new Promise((resolve) => server.close(resolve))
}

test('a service keeps the socket of another with its process id, and removes sockets without a process', async () => {
  const dataDir = await newFolder()
  const left = `${process.pid}-0123abcd.sock`
  await leaveSocket(dataDir, left)
  expect(await readdir(socketFolder(dataDir))).toEqual([left])
  await startFailing(dataDir)
  await startFailing(dataDir)
  expect(await readdir(socketFolder(dataDir))).toHaveLength(2)
  expect(await readdir(socketFolder(dataDir))).not.toContain(left)
  expect((await askServices(dataDir)).problems).toMatchObject([FAILED, FAILED])
})
