// A shell that runs the blocks of a guide in order: the variables of one block are set in the next.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { afterFile } from '../after-file.ts'
import { CHILD_ENVIRONMENT } from '../child-environment.ts'
import { endProcessesOf } from '../folder-processes.ts'
import { ROOT } from '../parts.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { blocksOf } from './blocks.ts'

export interface Shell {
  /** A folder that is removed after the tests of the file. */
  folder: string
  /** Waits until the block has ended. @returns its output @throws if one of its commands fails */
  run(block: string): Promise<string>
  /** Runs a block whose last command is `npm start`, and waits until that service is ready. */
  start(block: string): Promise<string>
  /** Stops the service that `start` started. */
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

/** Replaces texts that differ in the test, such as host names. @throws if a text is missing */
export function replaced(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`Nothing to replace: ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

/** Also works at the top of a test file, where expect.poll is not available. */
export const until = (isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await isTrue())) throw new Error(`It has not happened: ${what}`)
    },
    { timeout: 500_000, interval: 20 },
  )

const ENDED = 'The block has ended'

/** Runs `npx rapport` without npx, which takes longer than most commands; `command npx` runs the real one. */
const RAPPORT_WITHOUT_NPX = `npx() {
  if [[ $1 == rapport ]]; then '${process.execPath}' '${join(ROOT, 'cli/main.ts')}' "\${@:2}"; else command npx "$@"; fi
}`

/** Commands that read their input get an end of file. */
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

/** Call it at the top of a test file. @param env variables in addition to those of a reader's shell */
export async function openShell(env: Record<string, string> = {}): Promise<Shell> {
  const folder = await temporaryFolder('guide')
  const home = join(folder, 'home')
  await mkdir(home)
  const port = await freePort()
  const own = { HOME: home, DATA_DIR: join(folder, 'data'), PORT: String(port), RAPPORT_DEMO: 'off' }
  const run = openBash(folder, { ...CHILD_ENVIRONMENT, ...own, ...env })
  afterFile(async () => {
    await endProcessesOf(folder)
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
