// npm run soak: full-length tests that take too long to run for every change.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { START_TIME } from '../../server/test/start-time.ts'
import { soakMemory } from './memory.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Dose {
  about: string
  /** The arguments of `vitest run`. */
  tests: string | readonly string[]
  /** The environment variables from which the test reads its count and its seed. */
  env: { count: string; seed?: string }
  full: number
  long: number
}

const DOSES: Readonly<Record<string, Dose>> = {
  kills: {
    about: 'the service is killed while eight clients write, and every answer is accounted for',
    tests: 'server/test/ledger.ledgers.verify.ts',
    env: { count: 'LEDGER_KILLS', seed: 'LEDGER_SEED' },
    ...{ full: 100, long: 1000 },
  },
  cluster: {
    about:
      'a directory and three cells lose databases, links and processes, organizations move, and every answer and step is accounted for',
    tests: 'server/test/cluster.ledgers.verify.ts',
    env: { count: 'CLUSTER_ROUNDS', seed: 'CLUSTER_SEED' },
    ...{ full: 100, long: 1000 },
  },
  erasures: {
    about:
      'the service is killed while it undoes change sets and erases people, and every value is accounted for',
    tests: 'server/test/undo-erase.ledgers.verify.ts',
    env: { count: 'UNDO_ERASE_ROUNDS', seed: 'UNDO_ERASE_SEED' },
    ...{ full: 20, long: 200 },
  },
  fuzz: {
    about: 'generated requests to every route',
    tests: 'server/test/fuzz.exhaustive.verify.ts',
    env: { count: 'FUZZ_REQUESTS', seed: 'FUZZ_SEED' },
    ...{ full: 20_000, long: 1_000_000 },
  },
  simulation: {
    about: 'random workflows while workers die, steps fail and clocks jump',
    tests: 'server/workflows/interpreter/simulation.exhaustive.verify.ts',
    env: { count: 'SIMULATION_SEEDS', seed: 'SIMULATION_FIRST_SEED' },
    ...{ full: 10_000, long: 100_000 },
  },
  properties: {
    about: 'all tests of the server, where random values are tried: percent of the full dose',
    tests: ['--project=server', '--project=exhaustive'],
    env: { count: 'PROPERTY_PERCENT' },
    ...{ full: 100, long: 1000 },
  },
}
const PARTS = [...Object.keys(DOSES), 'memory']
const MINUTES = 60
const CLIENTS = 4

const USAGE = `npm run soak                          all parts, one after the other
npm run soak -- kills --count 1000    one part

${Object.entries(DOSES)
  .map(([name, { about, full, long }]) => `  ${name.padEnd(12)}${about} (${full}; ${long} with --long)`)
  .join('\n')}
  ${'memory'.padEnd(12)}the service under a mixed load: heap and job queue end flat (${MINUTES} minutes)

  --long        the long form of each part
  --count N     of one part, instead
  --seed N      of kills, cluster, erasures, fuzz or simulation
  --minutes N   of memory, from 4 (${MINUTES})
  --clients N   of memory (${CLIENTS})
  --help        this text

The exit code is 1 when a part failed.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ count: { type: 'string' }, seed: { type: 'string' }, minutes: { type: 'string' } },
    clients: { type: 'string' },
    ...{ long: { type: 'boolean' }, help: { type: 'boolean' } },
  },
})

const isNumber = (text: string | undefined) => text === undefined || /^\d{1,9}$/.test(text)

function runTest({ tests, env, full, long }: Dose): Promise<boolean> {
  const count = values.count ?? String(values.long ? long : full)
  const child = spawn('vitest', ['run', ...[tests].flat()], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      [START_TIME]: 'now',
      [env.count]: count,
      ...(values.seed && env.seed && { [env.seed]: values.seed }),
    },
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)))
}

const minutes = Number(values.minutes ?? MINUTES)
const clients = Number(values.clients ?? CLIENTS)

function runPart(name: string): Promise<boolean> {
  const dose = DOSES[name]
  return dose ? runTest(dose) : soakMemory(minutes, clients)
}

function isUsageRight(parts: readonly string[]): boolean {
  if (!parts.every((part) => PARTS.includes(part))) return false
  if (
    !isNumber(values.count) ||
    !isNumber(values.seed) ||
    !isNumber(values.minutes) ||
    !isNumber(values.clients)
  )
    return false
  return minutes >= 4 && clients >= 1 && (values.count === undefined || parts.length === 1)
}

async function main(): Promise<void> {
  const parts = positionals.length > 0 ? positionals : PARTS
  if (values.help || !isUsageRight(positionals)) {
    process.stdout.write(`${USAGE}\n`)
    process.exitCode = values.help ? 0 : 2
    return
  }
  for (const part of parts) if (!(await runPart(part))) process.exitCode = 1
}

await main()
