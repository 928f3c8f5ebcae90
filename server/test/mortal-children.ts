// Starts processes that kill themselves at a chosen transaction, on the database of a test service.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { LOADER } from '../entry/node/replace.ts'
import { afterFile } from './after-file.ts'
import type { TestService } from './build-app.ts'
import { CHILD_ENVIRONMENT } from './child-environment.ts'
import { testDatabaseUrl } from './database.ts'
import type { Death } from './mortal-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface Mortals<Task extends Death> {
  /** Starts a process early. It waits for its task. */
  launch(): ChildProcess
  /** Sends a process its task. @returns whether the process killed itself */
  live(child: ChildProcess, task: Task): Promise<boolean>
}

/**
 * Call it at the top of a test file: all processes are ended after its tests.
 * @param path of the module that calls `liveFor`
 * @param env settings of the service, in addition to its database and folder
 */
export async function createMortals<Task extends Death>(
  { ctx }: Pick<TestService, 'ctx'>,
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Mortals<Task>> {
  const folder = await temporaryFolder('kill')
  const living = new Set<ChildProcess>()
  afterFile(() => {
    for (const child of living) child.kill('SIGKILL')
  })
  const { name } = await ctx.db.one<{ name: string }>(sql`select current_database() as name`)
  const environment = {
    ...CHILD_ENVIRONMENT,
    DATABASE_URL: testDatabaseUrl(name),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
    ...env,
  }
  return {
    launch() {
      const child = fork(path, {
        env: environment,
        // With the loader of the service, a process needs only three quarters of the processor time.
        execArgv: [LOADER],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      living.add(child)
      child.once('exit', () => living.delete(child))
      return child
    },
    async live(child, task) {
      const exit = once(child, 'exit') as Promise<[number | null, string | null]>
      child.send(task)
      const [code, signal] = await exit
      if (signal !== 'SIGKILL') expect({ code, signal }).toEqual({ code: 0, signal: null })
      return signal === 'SIGKILL'
    },
  }
}
