// npm run cluster: a directory, three cells, two processes that answer requests and two workers, on one machine.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '../../config/config.ts'
import { buildPages } from '../../pages/build.ts'
import {
  CELL_NAMES,
  type ClusterDatabase,
  DIRECTORY_DATABASE,
  environmentOf,
  startDatabases,
} from './databases.ts'
import { type ClusterNode, KINDS, type StartingNode, startNode, stopNode } from './nodes.ts'

const USAGE = `npm run cluster                    three cells, a directory, two API nodes and two workers, until Ctrl+C
npm run cluster -- --folder DIR    keeps its data there; without it in a temporary folder, removed at the end

  --port N     of the first API node; the second has the next one (3000; 0: free ports)
  --no-demo    makes no demo organization
  --help       this text

The file "environment" in the folder is for commands: env $(cat DIR/environment) npx rapport cells list`

const DEMO = fileURLToPath(new URL('../../entry/demo-main.ts', import.meta.url))

interface Options {
  folder: string | undefined
  port: number
  demo: boolean
}

/** @throws Error with one line for an invalid command line */
function readOptions(): Options | 'help' {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      ...{ folder: { type: 'string' }, port: { type: 'string', default: '3000' } },
      ...{ demo: { type: 'boolean', default: true }, help: { type: 'boolean', short: 'h' } },
    },
  })
  if (values.help) return 'help'
  const port = Number(values.port)
  if (!/^\d{1,5}$/.test(values.port) || port > 65_534)
    throw new Error(`--port must be a whole number from 0 to 65534, not "${values.port}"`)
  return { folder: values.folder && resolve(values.folder), port, demo: values.demo }
}

const say = (line: string) => void process.stderr.write(`${line}\n`)

/** What was started. It is stopped in reverse order. */
interface Cluster {
  folder: string
  isTemporary: boolean
  databases: ClusterDatabase[]
  /** Also processes that have not completed their start. */
  processes: StartingNode[]
  nodes: ClusterNode[]
  /** Whether a signal to stop has arrived: nothing more is started then. */
  stopping: boolean
}

type Env = Record<string, string | undefined>

/** @returns the variables that processes and commands need in addition to those of this process */
async function openDatabases(cluster: Cluster): Promise<Record<string, string>> {
  const { folder } = cluster
  const databases = await startDatabases(readConfig({ LOG_LEVEL: 'warn' }), {
    folder,
    onNotice: say,
    onStarted: (database) => cluster.databases.push(database),
    isWanted: () => !cluster.stopping,
  })
  return {
    ...environmentOf(new Map(databases.map(({ name, url }) => [name, url]))),
    DATA_DIR: join(folder, 'data'),
  }
}

async function startNodes(cluster: Cluster, { port }: Options, env: Env): Promise<void> {
  const ports: Record<string, number> = { 'api-1': port, 'api-2': port === 0 ? 0 : port + 1 }
  const kinds = KINDS.map((kind) => ({ ...kind, port: ports[kind.name] ?? 0 }))
  await Promise.all(
    kinds.map(async (kind) => {
      const starting = startNode(kind, env, (line) => say(`${kind.name}: ${line}`))
      cluster.processes.push(starting)
      const node = await starting.started
      cluster.nodes.push(node)
      void node.exited.then((how) => {
        if (!cluster.stopping) say(`rapport: the process ${kind.name} ended (${how}); the others go on`)
      })
    }),
  )
}

function addressLines({ folder, isTemporary, nodes }: Cluster, seconds: number): string[] {
  const inOrder = nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const addresses = inOrder.flatMap(({ address }) => address ?? [])
  return [
    '',
    `  A cluster of Rapport is running, started in ${seconds} s`,
    `  API nodes               ${addresses.join('  ')}`,
    `  Dashboard               ${addresses[0]}`,
    `  API                     ${addresses[0]}/api/v1`,
    `  Cells                   ${CELL_NAMES.join(', ')}, in addition to the ${DIRECTORY_DATABASE}`,
    `  Workers                 2`,
    `  Data folder             ${folder}${isTemporary ? ', removed at the end' : ''}`,
    `  Commands                env $(cat ${join(folder, 'environment')}) npx rapport cells list`,
    '',
  ]
}

/** Runs in a separate process, which prints how to sign in, and a key. */
async function makeDemo({ nodes }: Cluster, env: Env): Promise<void> {
  const base = nodes.find(({ name }) => name === 'api-1')?.address ?? ''
  const [code] = await once(fork(DEMO, [base], { env }), 'exit')
  if (code !== 0) say('rapport: the demo organization could not be created')
}

/** For the shell's `env $(cat …)`, which splits at spaces: the value of CELLS has spaces, so it has its own file. */
async function writeEnvironment({ folder }: Cluster, { CELLS = '', ...own }: Record<string, string>) {
  const cells = join(folder, 'cells')
  const lines = Object.entries({ ...own, CELLS_FILE: cells }).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(cells, CELLS, { mode: 0o600 })
  await writeFile(join(folder, 'environment'), lines.join(''), { mode: 0o600 })
}

async function start(cluster: Cluster, options: Options): Promise<void> {
  const startedAt = performance.now()
  const [own] = await Promise.all([openDatabases(cluster), buildPages()])
  if (cluster.stopping) return
  await writeEnvironment(cluster, own)
  const env = { LOG_LEVEL: 'warn', ...process.env, ...own, HOST: '127.0.0.1', RAPPORT_DEMO: 'off' }
  await startNodes(cluster, options, env)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`${addressLines(cluster, seconds).join('\n')}\n`)
  if (options.demo && !cluster.stopping) await makeDemo(cluster, env)
}

async function stop({ processes, databases, folder, isTemporary }: Cluster): Promise<void> {
  await Promise.all(processes.map(stopNode))
  await Promise.all(databases.map(({ database }) => database.stop()))
  if (isTemporary) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** Resolves with the first signal; later signals are ignored. */
const firstSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })

async function run(options: Options): Promise<void> {
  const signal = firstSignal()
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'rapport-cluster-')))
  const isTemporary = options.folder === undefined
  const cluster: Cluster = { folder, isTemporary, databases: [], processes: [], nodes: [], stopping: false }
  const stopped = signal.then(() => {
    cluster.stopping = true
    for (const { child } of cluster.processes) child.kill('SIGTERM')
  })
  try {
    await start(cluster, options).catch((error: unknown) => {
      if (!cluster.stopping) throw error
    })
    await stopped
  } finally {
    cluster.stopping = true
    await stop(cluster)
  }
}

try {
  const options = readOptions()
  if (options === 'help') process.stdout.write(`${USAGE}\n`)
  else await run(options)
} catch (error) {
  say(`rapport: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
process.exit()
