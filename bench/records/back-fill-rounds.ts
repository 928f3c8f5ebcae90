// Rounds of gets and filtered lists, one request at a time, alternately while another object's back-fill is paused and
// while it runs.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { tryLock } from '../../server/records/engine/maintenance/work-store.ts'
import type { PeopleObject } from './objects.ts'
import { inTurn } from './questions.ts'
import { pageRequest, recordRequest } from './requests.ts'
import type { Stage } from './stage.ts'

/** More requests than the time allows. */
const TIMES_MAX = 1_000_000
const POLL_MS = 20
const ROUND_SECONDS = 3
/** Enough rounds for a p99. */
const ROUNDS_MAX = 20
/** The service builds the index after a bulk load has ended: ten seconds and a round of its worker later. */
const BEGIN_MS = 60_000

export interface Reads {
  gets: number[]
  lists: number[]
}

const requestsOf = ({ address, ids, questions }: Stage) =>
  ids.flatMap((id, place) => {
    const asked = inTurn(questions)
    const question = asked[place % asked.length]
    return question
      ? [recordRequest(address, id), pageRequest(address, question, { count: true })]
      : [recordRequest(address, id)]
  })

/** Splits latencies that alternate between gets and lists. */
export const byKind = (latenciesMs: readonly number[]): Reads => ({
  gets: latenciesMs.filter((_, place) => place % 2 === 0),
  lists: latenciesMs.filter((_, place) => place % 2 === 1),
})

/** Reads for one round. */
export async function read(stage: Stage): Promise<Reads> {
  const { client, sides } = stage.setting
  const until = { times: TIMES_MAX, seconds: ROUND_SECONDS }
  const asking = { url: sides.service.url, requests: requestsOf(stage), clients: 1, ...until }
  return byKind((await client.ask(asking)).latenciesMs)
}

export const merge = (all: readonly Reads[]): Reads => ({
  gets: all.flatMap(({ gets }) => gets),
  lists: all.flatMap(({ lists }) => lists),
})

const look = ({ ctx }: Stage, { org, obj }: PeopleObject) =>
  ctx.db.one<{ state: string; seen: number }>(
    sql`select index_state as state, index_seen as seen from objects where org = ${org} and obj = ${obj}`,
  )

/** @returns false when the index was complete before `isSo` returned true */
async function until(
  stage: Stage,
  object: PeopleObject,
  isSo: (seen: number, state: string) => boolean,
): Promise<boolean> {
  const startedAt = performance.now()
  for (;;) {
    const { seen, state } = await look(stage, object)
    if (isSo(seen, state)) return true
    if (state === 'ready') return false
    if (performance.now() - startedAt > BEGIN_MS) throw new Error('The service does not build the index')
    await delay(POLL_MS)
  }
}

export const isBuilding = async (stage: Stage, object: PeopleObject): Promise<boolean> =>
  (await look(stage, object)).state === 'building'

export const untilBuilding = (stage: Stage, object: PeopleObject): Promise<boolean> =>
  until(stage, object, (_, state) => state === 'building')

/** Holds the lock of the back-fill, as another node would, so that the service does not start the next batch. */
const readAtRest = (stage: Stage, object: PeopleObject): Promise<Reads> =>
  stage.ctx.db.transaction(async (tx) => {
    while (!(await tryLock(tx, 'fill', object))) await delay(1)
    return read(stage)
  })

export interface Round {
  rest: Reads
  during: Reads
  records: number
  seconds: number
}

/** @returns undefined when the index is complete */
async function readInTurn(stage: Stage, object: PeopleObject): Promise<Round | undefined> {
  const rest = await readAtRest(stage, object)
  const { seen } = await look(stage, object)
  if (!(await until(stage, object, (now) => now > seen))) return undefined
  const [before, startedAt] = [await look(stage, object), performance.now()]
  const during = await read(stage)
  const after = await look(stage, object)
  const seconds = (performance.now() - startedAt) / 1000
  return after.state === 'building' ? { rest, during, records: after.seen - before.seen, seconds } : undefined
}

/** @throws Error when the index was complete before the end of the first round */
export async function readInRounds(stage: Stage, object: PeopleObject): Promise<Round[]> {
  const rounds: Round[] = []
  await untilBuilding(stage, object)
  for (let round = await readInTurn(stage, object); round; ) {
    rounds.push(round)
    round = rounds.length < ROUNDS_MAX ? await readInTurn(stage, object) : undefined
  }
  if (rounds.length === 0)
    throw new Error('The index is complete before anything is measured: take more records')
  return rounds
}
