// npm run bench: the list of benches, and the way into each.
import { availableParallelism, totalmem } from 'node:os'
import { fairnessBench } from './fairness/bench.ts'
import { filesBench } from './files/bench.ts'
import { parseArguments, USAGE } from './harness/arguments.ts'
import { type Bench, UsageError } from './harness/bench.ts'
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

async function main(words: readonly string[]): Promise<void> {
  const command = parseArguments(words)
  if (command === 'help') return void process.stdout.write(`${USAGE}\n\nBenches:\n${list()}\n`)
  if (command === 'list') return void process.stdout.write(`${list()}\n`)
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
