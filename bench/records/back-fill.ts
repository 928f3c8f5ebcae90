// Reads of an indexed object while the service builds the index of another.
import { percentile, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { atMost, p50, reported, withRatio } from '../harness/rows.ts'
import { merge, read, readInRounds } from './back-fill-rounds.ts'
import { loadPeople } from './loading.ts'
import { makeObject, type PeopleObject } from './objects.ts'
import type { Stage } from './stage.ts'

export const BACK_FILL_NAME = 'reads during a back-fill'
/** Maximum p99 during the back-fill, as a multiple of the p99 while it is paused. */
const TARGET = 2

/** Loads a second object with the same number of people. The limit does not have them. */
export async function loadAnother(
  lab: Lab,
  { ctx, connection, service, owner, records }: Stage,
  slug: string,
): Promise<PeopleObject> {
  const object = await makeObject(ctx, { url: service.url, owner, slug })
  const { userId } = owner.caller
  const background = [{ ...object, companyAttr: undefined }]
  const plan = { object, records: 0, companies: 0, background, backgroundRecords: records, userId }
  await loadPeople(connection, plan, (line) => lab.tell(`  ${line}`))
  return object
}

const p99 = (values: readonly number[]) => percentile(Float64Array.from(values).sort(), 0.99)

const rowsOf = (what: string, ours: readonly number[], rest: readonly number[]): Row[] => [
  withRatio({ case: BACK_FILL_NAME, unit: `ms over HTTP, ${what}, p50`, ours: p50(ours), limit: p50(rest) }),
  atMost(
    { case: BACK_FILL_NAME, unit: `ms over HTTP, ${what}, p99`, ours: p99(ours), limit: p99(rest) },
    TARGET,
  ),
]

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** The limit is the service while its back-fill is paused. Both alternate until the index is complete. */
export async function readDuringBackFill(lab: Lab, stage: Stage): Promise<Row[]> {
  await read(stage)
  const rounds = await readInRounds(stage, await loadAnother(lab, stage, 'filled'))
  const rest = merge(rounds.map((round) => round.rest))
  const during = merge(rounds.map((round) => round.during))
  const perSecond = sum(rounds.map(({ records }) => records)) / sum(rounds.map(({ seconds }) => seconds))
  lab.tell(`${BACK_FILL_NAME}: ${rounds.length} rounds, ${perSecond.toFixed(0)} records/s filled in`)
  return [
    ...rowsOf('get', during.gets, rest.gets),
    ...rowsOf('filtered list', during.lists, rest.lists),
    reported(BACK_FILL_NAME, 'records/s filled in', perSecond),
  ]
}
