// bench scale: 1 to 100 cells with a million organizations, simulated with service times measured here.
import type { Bench, BenchOptions } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { readInputs } from './inputs.ts'
import { measureInputs } from './measure.ts'
import { costs, growth, limits, uneven, validation } from './scenarios.ts'
import { PAGE, writeTables } from './tables.ts'

const MEASURE = 'measure'

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  if (options.only.includes(MEASURE)) await measureInputs(lab, options)
  const inputs = await readInputs()
  const answers = [costs, validation, limits, growth, uneven].map((question) => question(inputs))
  await writeTables(Object.assign({}, ...answers.map(({ tables }) => tables)))
  lab.tell(PAGE)
  return answers.flatMap(({ rows }) => rows)
}

export const scaleBench: Bench = {
  name: 'scale',
  summary:
    '1 to 100 cells with a million organizations, simulated; writes the tables of docs/operators/scaling.md',
  run,
}
