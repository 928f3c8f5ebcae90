// npm run bench: the list of benches, and the way into each.
import { writeFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fairnessBench } from './fairness/bench.ts'
import { filesBench } from './files/bench.ts'
import { type BenchCommand, parseArguments, USAGE } from './harness/arguments.ts'
import { type Bench, UsageError } from './harness/bench.ts'
import { aboutOf, type BenchResult, renderPage } from './harness/page.ts'
import { Interrupted, runBench } from './harness/run.ts'
import { renderTable } from './harness/table.ts'
import { httpBench } from './http/bench.ts'
import { recordsBench } from './records/bench.ts'
import { reportsBench } from './reports/bench.ts'
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
]

const list = () => BENCHES.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')

const machine = () => `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory`

const tell = (line: string) => void process.stderr.write(`${line}\n`)

const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))

/** One that fails is reported on the page, and the others are run all the same. */
async function resultOf(bench: Bench, { options }: BenchCommand): Promise<BenchResult> {
  const { name, summary } = bench
  const head = { name, summary, about: await aboutOf(name) }
  try {
    return { ...head, rows: await runBench(bench, { options, json: undefined }, tell), failure: undefined }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    process.exitCode = 1
    const failure = error instanceof Error ? error.message : String(error)
    tell(`${name}: ${failure}`)
    return { ...head, rows: [], failure }
  }
}

async function runAll(command: BenchCommand, words: readonly string[]): Promise<void> {
  const results: BenchResult[] = []
  for (const bench of BENCHES) results.push(await resultOf(bench, command))
  const rows = results.flatMap(({ name, rows }) => rows.map((row) => ({ bench: name, ...row })))
  if (command.json !== undefined) await writeFile(command.json, `${JSON.stringify(rows, null, 2)}\n`)
  const occasion = {
    command: words.join(' '),
    machine: machine(),
    day: new Date().toISOString().slice(0, 10),
  }
  const page = command.page ?? PAGE
  await writeFile(page, renderPage(results, occasion))
  process.stdout.write(`${page}\n`)
}

async function main(words: readonly string[]): Promise<void> {
  const command = parseArguments(words)
  if (command === 'help') return void process.stdout.write(`${USAGE}\n\nBenches:\n${list()}\n`)
  if (command === 'list') return void process.stdout.write(`${list()}\n`)
  if (command.name === 'all') return runAll(command, words)
  const bench = BENCHES.find(({ name }) => name === command.name)
  if (!bench) throw new UsageError(`There is no bench "${command.name}". There are:\n${list()}`)
  const rows = await runBench(bench, command, tell)
  process.stdout.write(`\n${bench.name}, on ${machine()}\n\n${renderTable(rows)}\n`)
}

const INTERRUPTED_CODE = 130

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof Interrupted
  tell(isExpected ? `bench: ${error.message}` : `bench: ${error instanceof Error ? error.stack : error}`)
  process.exitCode = error instanceof Interrupted ? INTERRUPTED_CODE : 1
}
