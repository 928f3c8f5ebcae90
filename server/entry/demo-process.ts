// Starts entry/demo-main.ts where there is something to make.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Db } from '../db/pool.ts'
import { findUnannounced, hasOrganization } from '../demo/store.ts'

const MAIN = fileURLToPath(new URL('demo-main.ts', import.meta.url))

// Two processes cannot be debugged on one port.
const flags = () => process.execArgv.filter((flag) => !flag.startsWith('--inspect'))

/**
 * Makes the demo organization when there is no organization, or when its sign-in details have not been shown.
 * @param base the address of the service
 * @throws Error when the process fails; it has logged why
 */
export async function makeDemo(db: Db, base: string): Promise<void> {
  if ((await hasOrganization(db)) && !(await findUnannounced(db))) return
  const [code, signal] = await once(fork(MAIN, [base], { execArgv: flags() }), 'exit')
  if (code !== 0)
    throw new Error(`the process that makes the demo ended with ${signal ?? `exit code ${code}`}`)
}
