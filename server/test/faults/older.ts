// A process of an older version that still runs next to this one, and continues to write and to claim work.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { errorCode } from '../../base/error-code.ts'
import { WRITER } from '../../db/writer.ts'
import type { Fault } from './fault.ts'
import type { ProxiedStage } from './stage.ts'

/** The accounts would show each: as records without events, or as events and deliveries that are lost or delayed. */
const WRITES = [
  `update records set data = data || '{"name": "older"}' where org = $1`,
  `insert into records (org, obj, id, updated_at, data)
   select org, obj, uuidv7(), now(), '{"name": "older"}' from records where org = $1 limit 1`,
  'delete from records where org = $1',
  "update objects set slug = 'older' where org = $1",
  'delete from event_pending where org = $1',
  "update webhook_lanes set leased_until = now() + interval '1 hour' where org = $1",
]

interface Tally {
  refused: number
  /** Statements that were not refused with the required error, each with its actual result. */
  others: string[]
}

async function write(client: pg.Client, org: number, tally: Tally): Promise<void> {
  for (const statement of WRITES)
    try {
      await client.query(statement, [org])
      tally.others.push(`done: ${statement}`)
    } catch (error) {
      if (errorCode(error) === '57P03') tally.refused++
      else tally.others.push(`${error}: ${statement}`)
    }
}

const PAUSE_MS = 20

async function writeAgainAndAgain(stage: ProxiedStage, tally: Tally, { signal }: AbortController) {
  const client = new pg.Client({ ...stage.connection, options: `-c rapport.writer=${WRITER - 1}` })
  try {
    await client.connect()
    while (!signal.aborted) {
      for (const { org } of stage.world.orgs) await write(client, org, tally)
      await delay(PAUSE_MS)
    }
  } finally {
    await client.end()
  }
}

export function olderVersion(): Fault<ProxiedStage> {
  const stop = new AbortController()
  const tally: Tally = { refused: 0, others: [] }
  let writing = Promise.resolve()
  return {
    name: 'an older version in parallel',
    async begin(stage) {
      writing = writeAgainAndAgain(stage, tally, stop)
    },
    async end() {
      stop.abort()
      await writing
      process.stdout.write(`faults: an older version was refused ${tally.refused} times\n`)
      if (tally.refused === 0 || tally.others.length > 0)
        throw new Error(`an older version was not always refused: ${tally.others.slice(0, 5).join('; ')}`)
    },
  }
}
