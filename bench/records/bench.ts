// bench records: questions to a large object, each compared with the same question to a hand-made table.
import { type Bench, type BenchOptions, chosen } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { BACK_FILL_NAME, readDuringBackFill } from './back-fill.ts'
import { COST_MODEL_NAME, measureCosts } from './cost-model.ts'
import { EXPAND_NAME, expandCompanies } from './expanding.ts'
import { type Import, measureImport } from './importing.ts'
import { askInTurn, IN_TURN_NAME } from './in-turn.ts'
import { personAt } from './people.ts'
import { questionsOf } from './questions.ts'
import { BUILDING_NAME, QUICK_SEARCH_NAME, searchDuringBackFill, searchQuickly } from './quick-search.ts'
import { askQuestion, getRecords } from './reads.ts'
import { measureRoom, ROOM_NAME } from './room.ts'
import { type Stage, setStage } from './stage.ts'
import { WRITE_CASES } from './writes.ts'

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

const importCase = (one: Omit<Import, 'rows'>, rowsMax: number): Case => ({
  name: one.name,
  run: (lab, stage) => measureImport(lab, stage, { ...one, rows: Math.min(stage.records, rowsMax) }),
})

const INDEXED_IMPORT = importCase(
  { name: 'CSV import into an indexed object', slug: 'contacts', isIndexed: true, allowedSeconds: 300 },
  50_000,
)

/** Cases that read come first: writes give the service and the limit different records. */
const CASES: readonly Case[] = [
  { name: ROOM_NAME, run: measureRoom },
  { name: 'get by id', run: getRecords },
  ...questionsOf(1, personAt(0)).map(({ name }) => questionCase(name)),
  { name: EXPAND_NAME, run: expandCompanies },
  { name: QUICK_SEARCH_NAME, run: searchQuickly },
  { name: IN_TURN_NAME, run: askInTurn },
  ...WRITE_CASES,
  INDEXED_IMPORT,
  // After this import the limit has people that the measured object does not have.
  importCase({ name: 'CSV import', slug: 'imported', allowedSeconds: 120 }, 50_000),
]

/** Takes long, so it runs only when --only names it. */
const WHOLE_IMPORT = importCase(
  { name: 'import of the whole set', slug: 'whole', allowedSeconds: 120 },
  Number.POSITIVE_INFINITY,
)

/** For changes of the planner's constants: runs only when --only names it. */
const COST_MODEL: Case = { name: COST_MODEL_NAME, run: measureCosts }

/** Last: the back-fill of a million records continues after its measurement. */
const BACK_FILLS: readonly Case[] = [
  { name: BACK_FILL_NAME, run: readDuringBackFill },
  { name: BUILDING_NAME, run: searchDuringBackFill },
]

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const cases = chosen(
    [...CASES, ...(options.only.length === 0 ? [] : [WHOLE_IMPORT, COST_MODEL]), ...BACK_FILLS],
    options.only,
  )
  const stage = await setStage(lab, options)
  const rows: Row[] = []
  for (const one of cases) rows.push(...(await one.run(lab, stage, options)))
  return rows
}

export const recordsBench: Bench = {
  name: 'records',
  summary: 'filters, pages, totals and writes of a million records, compared with a table made by hand',
  run,
}
