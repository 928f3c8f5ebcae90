// Four concurrent clients that cycle through eight different filters, with totals.
import type { BenchOptions } from '../harness/bench.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import type { Requests, Sides } from './measure.ts'
import { inTurn } from './questions.ts'
import { limitRequest, pageRequest } from './requests.ts'
import type { Stage } from './stage.ts'
import { requireSamePage } from './verify.ts'

export const IN_TURN_NAME = 'four clients, eight filters in turn'
const CLIENTS = 4
/** Minimum ratio: the limit counts all matches, which the service does not need to do. */
const TARGET = 5
/** More requests than the time allows. */
const TIMES_MAX = 1_000_000

async function verified({ questions, address, sides, limit }: Stage): Promise<Requests> {
  const urls = { service: sides.service.url, limit: sides.limit.url }
  const requests = { service: [], limit: [] } as Record<keyof Sides, Requests['service'][number][]>
  for (const question of inTurn(questions)) {
    const pair = {
      service: pageRequest(address, question, { count: true }),
      limit: limitRequest(`/questions/${limit.places.get(question.name)}`),
    }
    await requireSamePage(question.name, urls, pair)
    requests.service.push(pair.service)
    requests.limit.push(pair.limit)
  }
  return requests
}

/** Measures requests per second of both sides alternately. */
export async function askInTurn(lab: Lab, stage: Stage, { seconds, rounds }: BenchOptions): Promise<Row[]> {
  const { client } = stage.setting
  const requests = await verified(stage)
  const perSecond: Record<keyof Sides, number[]> = { service: [], limit: [] }
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > 2 * seconds * 1000
  for (let round = 0; round < rounds && (round === 0 || !isOver()); round++)
    for (const key of ['limit', 'service'] as const) {
      const asking = { clients: CLIENTS, times: TIMES_MAX, seconds: seconds / rounds }
      const asked = await client.ask({ ...asking, url: stage.sides[key].url, requests: requests[key] })
      perSecond[key].push(asked.latenciesMs.length / (asked.elapsedMs / 1000))
    }
  const { service, limit } = perSecond
  const list = (values: number[]) => values.map((value) => value.toFixed(1)).join(', ')
  lab.tell(`${IN_TURN_NAME}: service ${list(service)} requests/s; limit ${list(limit)}`)
  return [compare({ case: IN_TURN_NAME, unit: 'requests/s', ours: service, limit, target: TARGET })]
}
