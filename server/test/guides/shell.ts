// A shell in which the blocks of a guide run as its reader types them: what one block sets is there in the next.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { afterFile } from '../after-file.ts'
import { CHILD_ENVIRONMENT } from '../child-environment.ts'
import { endProcessesOf } from '../folder-processes.ts'
import { ROOT } from '../parts.ts'
import { blocksOf } from './blocks.ts'

export interface Shell {
  /** Removed after the tests of the file. */
  folder: string
  /** Waits until the block has ended. @returns what it has printed @throws where one of its commands fails */
  run(block: string): Promise<string>
  /** Runs a block whose last command is `npm start`, and waits until that service is ready. */
  start(block: string): Promise<string>
  /** Ends the service that `start` has started. */
  stop(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The block of a page in docs/operators that contains the text. */
export function blockWith(page: string, text: string): string {
  const [block, ...more] = blocksOf(`../operators/${page}`).filter((one) => one.text.includes(text))
  if (!block || more.length > 0) throw new Error(`${page}.md must have one block with: ${text}`)
  return block.text
}

/** What differs here, such as names of hosts. @throws where the text does not have it */
export function replaced(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`Nothing to replace: ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

/** Also at the top of a test file, where there is no expect.poll. */
export const until = (isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await isTrue())) throw new Error(`It has not happened: ${what}`)
    },
    { timeout: 500_000, interval: 20 },
  )

const ENDED = 'The block has ended'

/** `npx rapport` without npx, which takes longer than most commands; `command npx` is the real one. */
const RAPPORT_WITHOUT_NPX = `npx() {
  if [[ $1 == rapport ]]; then '${process.execPath}' '${join(ROOT, 'cli/main.ts')}' "\${@:2}"; else command npx "$@"; fi
}`

/** A command that reads gets the end of a file, as nothing is typed. */
function openBash(folder: string, env: Record<string, string>) {
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd: ROOT, env })
  let heard = ''
  for (const stream of [bash.stdout, bash.stderr]) stream.on('data', (text) => (heard += text))
  bash.stdin.write(`exec 2>&1; set -euo pipefail; ${RAPPORT_WITHOUT_NPX}\n`)
  let count = 0
  return async function run(block: string): Promise<string> {
    const file = join(folder, `${++count}.sh`)
    await writeFile(file, block)
    heard = ''
    bash.stdin.write(`. '${file}' < /dev/null; echo '${ENDED}'\n`)
    const hasEnded = () => heard.endsWith(`${ENDED}\n`) || bash.exitCode !== null
    await until(hasEnded, block)
    if (bash.exitCode !== null) throw new Error(`${block}\n${heard}`)
    return heard.slice(0, -ENDED.length - 1)
  }
}

/** Call it at the top of a test file. @param env in addition to what a reader's shell has */
export async function openShell(env: Record<string, string> = {}): Promise<Shell> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-guide-'))
  const home = join(folder, 'home')
  await mkdir(home)
  const port = await freePort()
  const own = { HOME: home, DATA_DIR: join(folder, 'data'), PORT: String(port), RAPPORT_DEMO: 'off' }
  const run = openBash(folder, { ...CHILD_ENVIRONMENT, ...own, ...env })
  afterFile(async () => {
    await endProcessesOf(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  return {
    folder,
    run,
    async start(block) {
      const printed = await run(replaced(block, { 'npm start\n': `npm start > '${folder}/log' 2>&1 &\n` }))
      const log = join(folder, 'log')
      await until(isReady, 'the service is ready').catch(async () => {
        throw new Error(`The service is not ready: ${await readFile(log, 'utf8')}`)
      })
      return printed
    },
    stop: () => run('kill $!; wait $! || true').then(() => undefined),
  }
}
