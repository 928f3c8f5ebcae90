// bench records: what people ask of a large object, each beside the same question to a table made by hand.
import { type Bench, type BenchOptions, chosen } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { askInTurn, IN_TURN_NAME } from './in-turn.ts'
import { personAt } from './people.ts'
import { questionsOf } from './questions.ts'
import { askQuestion, getRecords } from './reads.ts'
import { type Stage, setStage } from './stage.ts'

interface Case {
  name: string
  run(lab: Lab, stage: Stage, options: BenchOptions): Promise<Row[]>
}

const questionCase = (name: string): Case => ({
  name,
  async run(lab, stage) {
    const question = stage.questions.find((one) => one.name === name)
    return question ? askQuestion(lab, stage, question) : []
  },
})

const CASES: readonly Case[] = [
  { name: 'get by id', run: getRecords },
  ...questionsOf(1, personAt(0)).map(({ name }) => questionCase(name)),
  { name: IN_TURN_NAME, run: askInTurn },
]

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const cases = chosen(CASES, options.only)
  const stage = await setStage(lab, options)
  const rows: Row[] = []
  for (const one of cases) rows.push(...(await one.run(lab, stage, options)))
  return rows
}

export const recordsBench: Bench = {
  name: 'records',
  summary: 'filters, pages, totals and writes of a million records beside a table made by hand',
  run,
}
