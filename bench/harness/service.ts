// Starts the service with its usual program and a temporary data folder.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../server/config/config.ts'
import { openContext } from '../../server/entry/open-context.ts'
import { createLog } from '../../server/operations/log.ts'
import { type Child, startProgram } from './child.ts'
import type { Lab } from './lab.ts'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

export interface Service {
  url: string
  /** Process id of the Node process. */
  pid: number
  postgresPid: number
  dataDir: string
  child: Child
}

export async function addressOfService({ process, failed }: Child): Promise<string> {
  if (!process.stdout) throw new Error('The output of the service is not read')
  const lines = createInterface({ input: process.stdout })
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const address = /is running at\s+(http:\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  return Promise.race([found, failed])
}

/** Starts `node server/main.ts`; it ends with the lab. @param flags of Node; `env` is added to quiet defaults */
export async function startService(
  lab: Lab,
  { flags = [], env = {} }: { flags?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Service> {
  const dataDir = join(lab.folder, 'data')
  const quiet = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', RAPPORT_DEMO: 'off', LOG_LEVEL: 'warn' }
  // One API process on every machine, because one process is measured.
  const unlimited = { RATE_LIMIT_PER_MINUTE: '1000000000', API_PROCESSES: '1' }
  const child = startProgram(lab, {
    name: 'The service',
    file: MAIN,
    flags,
    env: { ...quiet, ...unlimited, DATABASE_URL: '', ...env },
  })
  const url = await addressOfService(child)
  const postmaster = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return { url, pid: child.pid, postgresPid: Number.parseInt(postmaster, 10), dataDir, child }
}

/** Opens a separate context on the database of the service. @param env the same as for `startService` */
export function attach(lab: Lab, { dataDir }: Pick<Service, 'dataDir'>, env: Record<string, string> = {}) {
  const config = readConfig({ ...env, DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const onNotice = (line: string) => lab.tell(line)
  return openContext(config, { mode: 'attach', log: createLog(config), onNotice })
}
