// Starts the service as a separate process, with the demo in a new database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../server/pages/build.ts'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

export interface DemoService {
  /** The address of the service, without a trailing slash. */
  base: string
  email: string
  password: string
  stop(): Promise<void>
}

const ADDRESS = /running at +(\S+)/
const SIGN_IN = /Sign in +(\S+) +(\S+)/

/** Builds the pages and starts the service. @throws if the process ends before it prints the sign-in */
export async function startDemoService(): Promise<DemoService> {
  await buildPages()
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-screenshots-'))
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      EGRESS_ALLOW_PRIVATE: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(dataDir, { recursive: true, force: true })
  }
  let base = ''
  for await (const line of createInterface({ input: child.stdout })) {
    base = ADDRESS.exec(line)?.[1] ?? base
    const [, email, password] = SIGN_IN.exec(line) ?? []
    if (email !== undefined && password !== undefined) return { base, email, password, stop }
  }
  await stop()
  throw new Error('The service ended before the demo was ready')
}
