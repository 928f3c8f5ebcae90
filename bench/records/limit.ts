// Starts the limit, which uses the server, the database and the session settings of the service.
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import type { Db } from '../../server/db/pool.ts'
import { ask, startPartner } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'
import type { LimitParams } from './limit-process.ts'
import { type SortPosition, sortPositionOf, statementsOf } from './limit-statements.ts'
import type { Question } from './questions.ts'
import { type Address, lastBefore } from './requests.ts'
import { type PageAnswer, send } from './verify.ts'

const PROCESS = fileURLToPath(new URL('./limit-process.ts', import.meta.url))

// The session settings of the service (server/db/pool.ts).
const SESSION =
  '-c timezone=UTC -c jit=off -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000'

/** Start of a deep page by cursor: `cursor` for the service, `position` for the limit. */
interface Start {
  cursor: string | undefined
  position: SortPosition
}

async function startOf(
  db: Db,
  { url, address }: Asked,
  { behind = 0, ...question }: Question,
): Promise<Start> {
  const { records, pagination } = await send<PageAnswer>(url, lastBefore(address, question, behind))
  const position = await db.one<SortPosition>(sortPositionOf(question, records[0]?.id ?? ''))
  return { cursor: pagination.nextCursor, position }
}

interface Asked {
  /** URL of the service. */
  url: string
  address: Address
}

export interface Limit {
  url: string
  /** Number of the limit's route for each question, by name. The next route returns the page without its total. */
  places: Map<string, number>
  /** The service's cursors, by the name of the question. */
  cursors: Map<string, string>
}

export async function startLimit(
  lab: Lab,
  { connection, poolSize, db }: { connection: ClientConfig; poolSize: number; db: Db },
  { questions, ...asked }: Asked & { questions: readonly Question[] },
): Promise<Limit> {
  const params: LimitParams = { connection, poolSize, session: SESSION, statements: [] }
  const [places, cursors] = [new Map<string, number>(), new Map<string, string>()]
  for (const question of questions) {
    const start = question.behind ? await startOf(db, asked, question) : undefined
    if (start?.cursor !== undefined) cursors.set(question.name, start.cursor)
    places.set(question.name, params.statements.length)
    params.statements.push(...statementsOf(question, start?.position))
  }
  const child = startPartner(lab, { name: 'The limit', file: PROCESS })
  const { url } = await ask<{ url: string }>(child, params)
  return { url, places, cursors }
}
