// The whole service as a process: the printed output of the first start works, also after a kill half-way.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../test/child-environment.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

const dataDir = await temporaryFolder('demo')
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

interface Start {
  child: ChildProcess
  lines: string[]
  /** The first line that matches, printed before or after the call. Rejects if the process ends without such a line. */
  line(pattern: RegExp): Promise<string>
}

function start(): Start {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...CHILD_ENVIRONMENT, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  reader.on('line', (line) => lines.push(line))
  return {
    child,
    lines,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (line: string) => pattern.test(line) && resolve(line)
        lines.some(look)
        reader.on('line', look)
        reader.on('close', () => reject(new Error(`it ended after: ${lines.join('\n')}`)))
      }),
  }
}

async function stop({ child }: Start, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await once(child, 'exit')
}

const ADDRESS = /running at +(\S+)/
const CURL = /^curl -s (\S+) -H "Authorization: (Bearer \S+)" .* -d '(.*)'$/

test('a first start that was killed half-way is repeated, and prints a working request once', async () => {
  const killed = start()
  await killed.line(ADDRESS)
  await stop(killed, 'SIGKILL')
  expect(killed.lines.some((line) => CURL.test(line))).toBe(false)

  const first = start()
  const [, url = '', authorization = '', body = ''] = CURL.exec(await first.line(CURL)) ?? []
  const headers = { authorization, 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body })
  const { records, pagination } = (await reply.json()) as {
    records: { data: { name: string } }[]
    pagination: { total: number }
  }
  expect(records.map(({ data }) => data.name)).toEqual(['3M', 'A. O. Smith', 'Abbott Laboratories'])
  expect(pagination.total).toBe(564)
  await stop(first, 'SIGTERM')

  const second = start()
  const [, base = ''] = ADDRESS.exec(await second.line(ADDRESS)) ?? []
  const again = await fetch(`${base}/api/v1/objects`, { headers })
  expect(again.status).toBe(200)
  await stop(second, 'SIGTERM')
  expect(second.lines.join('\n')).not.toContain('svc_')
})
