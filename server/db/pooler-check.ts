// Whether a pooler that gives out its sessions for one transaction each brings prepared statements along, as PgBouncer
// does from 1.21 on. Without that almost every request fails, and which ones is a matter of chance.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { errorCode, LOST_STATEMENT } from '../base/error-code.ts'

/** One connection to the pooler. */
export interface PoolerClient {
  /** The session's number as the connection received it: a pooler uses its own numbers. */
  readonly processID: number | null
  query(query: string | { name: string; text: string }): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}

/** More are not held: others use the sessions then, and it cannot be told. */
const HELD_MAX = 5

const SESSION = 'select pg_backend_pid() as pid'

const sessionOf = async (client: PoolerClient, query: Parameters<PoolerClient['query']>[0] = SESSION) =>
  (await client.query(query)).rows.map((row) => (row as { pid: number }).pid)[0]

/** Prepares a statement on one session of the server, and uses it while that session is another client's. */
async function moveOn(open: () => Promise<PoolerClient>): Promise<true | undefined> {
  const statement = { name: `rapport_check_${randomUUID()}`, text: SESSION }
  const client = await open()
  const session = await sessionOf(client, statement)
  // No pooler is in between.
  if (session === client.processID) return true
  for (let held = 0; held < HELD_MAX; held++) {
    const holder = await open()
    await holder.query('begin')
    if ((await sessionOf(holder)) !== session) continue
    await client.query(statement)
    return true
  }
  return undefined
}

/** @returns false if it loses prepared statements; undefined where it cannot be told, such as while it is busy */
export async function keepsStatements(connect: () => Promise<PoolerClient>): Promise<boolean | undefined> {
  const clients: PoolerClient[] = []
  const open = async () => {
    const client = await connect()
    clients.push(client)
    return client
  }
  try {
    return await moveOn(open)
  } catch (error) {
    return LOST_STATEMENT.includes(errorCode(error) ?? '') ? false : undefined
  } finally {
    // Not waited for: one of them may wait for a session.
    for (const client of clients) client.end().catch(() => undefined)
  }
}

const WAIT_MS = 2000

/** A client of a pooler, which takes no settings of sessions. */
export const connectToPooler = (connection: pg.ClientConfig) => async (): Promise<PoolerClient> => {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: WAIT_MS, query_timeout: WAIT_MS })
  client.on('error', () => undefined)
  await client.connect()
  return client as pg.Client & PoolerClient
}
