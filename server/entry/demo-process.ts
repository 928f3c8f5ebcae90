// Starts entry/demo-main.ts if the demo organization must be created or printed.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Db } from '../db/pool.ts'
import { findUnannounced, hasOrganization } from '../demo/store.ts'

const MAIN = fileURLToPath(new URL('demo-main.ts', import.meta.url))

// The child has no --inspect flags: two processes cannot be debugged on the same port.
const flags = () => process.execArgv.filter((flag) => !flag.startsWith('--inspect'))

/**
 * Creates the demo organization if there is no organization, or prints its sign-in details if this has not been done.
 * @param base the address of the service
 * @throws Error if the process fails; it has logged the reason
 */
export async function makeDemo(db: Db, base: string): Promise<void> {
  if ((await hasOrganization(db)) && !(await findUnannounced(db))) return
  const [code, signal] = await once(fork(MAIN, [base], { execArgv: flags() }), 'exit')
  if (code !== 0)
    throw new Error(`the process that makes the demo ended with ${signal ?? `exit code ${code}`}`)
}
