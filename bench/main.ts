// npm run bench: lists the benches and runs them.
import { writeFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { duplicatesBench } from './duplicates/bench.ts'
import { fairnessBench } from './fairness/bench.ts'
import { filesBench } from './files/bench.ts'
import { type BenchCommand, parseArguments, USAGE } from './harness/arguments.ts'
import { type Bench, UsageError } from './harness/bench.ts'
import { DOSES, type Dose, QUICK_SECONDS, SHARES_MAX } from './harness/doses.ts'
import type { Row } from './harness/figures.ts'
import { aboutOf, type BenchResult, renderPage } from './harness/page.ts'
import { Interrupted, runBench } from './harness/run.ts'
import { renderTable } from './harness/table.ts'
import { httpBench } from './http/bench.ts'
import { jobsBench } from './jobs/bench.ts'
import { liveBench } from './live/bench.ts'
import { peersBench } from './peers/bench.ts'
import { recordsBench } from './records/bench.ts'
import { reportsBench } from './reports/bench.ts'
import { scaleBench } from './scale/bench.ts'
import { trashBench } from './trash/bench.ts'
import { webhooksBench } from './webhooks/bench.ts'
import { workflowsBench } from './workflows/bench.ts'

const BENCHES: readonly Bench[] = [
  httpBench,
  webhooksBench,
  workflowsBench,
  reportsBench,
  filesBench,
  recordsBench,
  fairnessBench,
  peersBench,
  scaleBench,
  trashBench,
  liveBench,
  jobsBench,
  duplicatesBench,
]

const list = () => BENCHES.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')

const machine = () => `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory`

const tell = (line: string) => void process.stderr.write(`${line}\n`)

const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000

/** Runs a bench for the page. A bench that fails is reported there, and the other benches still run. */
async function resultOf(bench: Bench, { options }: BenchCommand, limits: Limits): Promise<BenchResult> {
  const { name, summary } = bench
  const head = { name, summary, about: await aboutOf(name), shareSeconds: limits.shareSeconds }
  const startedAt = performance.now()
  const ended = (rows: Row[], failure?: string) => ({
    ...head,
    rows,
    failure,
    tookSeconds: secondsSince(startedAt),
  })
  tell(`${name} …`)
  try {
    return ended(await runBench(bench, { options, json: undefined, ...limits }, tell))
  } catch (error) {
    if (error instanceof Interrupted) throw error
    process.exitCode = 1
    const failure = error instanceof Error ? error.message : String(error)
    tell(`${name}: ${failure}`)
    return ended([], failure)
  }
}

interface Limits {
  shareSeconds?: number
  secondsMax?: number
}

/** @param leftSeconds remaining time of all benches together */
const limitsOf = ({ shareSeconds }: Dose, leftSeconds: number): Limits => ({
  shareSeconds,
  secondsMax: Math.max(0, Math.min(SHARES_MAX * shareSeconds, leftSeconds)),
})

/** Options on the command line override the dose of a quick run. */
function commandOf(words: readonly string[], dose: Dose | undefined): BenchCommand {
  const command = parseArguments(words, dose)
  if (typeof command === 'string') throw new UsageError(USAGE)
  return command
}

async function writePage(path: string, results: BenchResult[], words: readonly string[], leftOut: string[]) {
  const day = new Date().toISOString().slice(0, 10)
  await writeFile(path, renderPage(results, { command: words.join(' '), machine: machine(), day, leftOut }))
}

/** Called after each bench, so that a later failure does not lose earlier results. */
async function writeResults(
  { json, page }: { json: string | undefined; page: string },
  results: BenchResult[],
  words: readonly string[],
  leftOut: readonly Bench[],
): Promise<void> {
  const rows = results.flatMap(({ name, rows }) => rows.map((row) => ({ bench: name, ...row })))
  if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`)
  const names = leftOut.map(({ name }) => name)
  await writePage(page, results, words, names)
}

async function runAll({ json, page = PAGE, options }: BenchCommand, words: readonly string[]): Promise<void> {
  const startedAt = performance.now()
  const chosen = BENCHES.filter(({ name }) => !options.isQuick || DOSES[name] !== undefined)
  const results: BenchResult[] = []
  for (const bench of chosen) {
    const dose = options.isQuick ? DOSES[bench.name] : undefined
    const limits = dose ? limitsOf(dose, QUICK_SECONDS - secondsSince(startedAt)) : {}
    results.push(await resultOf(bench, commandOf(words, dose), limits))
    const leftOut = BENCHES.filter(({ name }) => !results.some((result) => result.name === name))
    await writeResults({ json, page }, results, words, leftOut)
  }
  process.stdout.write(`${page}\n`)
}

async function runOne(bench: Bench, command: BenchCommand, words: readonly string[]): Promise<void> {
  const startedAt = performance.now()
  const rows = await runBench(bench, command, tell)
  process.stdout.write(`\n${bench.name}, on ${machine()}\n\n${renderTable(rows)}\n`)
  if (command.page === undefined) return
  const { name, summary } = bench
  const result = {
    name,
    summary,
    about: await aboutOf(name),
    rows,
    failure: undefined,
    shareSeconds: undefined,
  }
  await writePage(command.page, [{ ...result, tookSeconds: secondsSince(startedAt) }], words, [])
  process.stdout.write(`${command.page}\n`)
}

async function main(words: readonly string[]): Promise<void> {
  const command = parseArguments(words)
  if (command === 'help') return void process.stdout.write(`${USAGE}\n\nBenches:\n${list()}\n`)
  if (command === 'list') return void process.stdout.write(`${list()}\n`)
  if (command.name === 'all') return runAll(command, words)
  const bench = BENCHES.find(({ name }) => name === command.name)
  if (!bench) throw new UsageError(`There is no bench "${command.name}". There are:\n${list()}`)
  return runOne(bench, commandOf(words, DOSES[bench.name]), words)
}

const INTERRUPTED_CODE = 130

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof Interrupted
  tell(isExpected ? `bench: ${error.message}` : `bench: ${error instanceof Error ? error.stack : error}`)
  // Without the exit, pending work of the bench would continue.
  if (error instanceof Interrupted) process.exit(INTERRUPTED_CODE)
  process.exitCode = 1
}
