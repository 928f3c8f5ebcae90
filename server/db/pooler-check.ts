// Checks whether a pooler that assigns server sessions per transaction supports prepared statements, as PgBouncer 1.21
// or newer does. Without this support most requests fail, at random.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { errorCode, LOST_STATEMENT } from '../base/error-code.ts'

/** One connection to the pooler. */
export interface PoolerClient {
  /** The process id that the connection received: a pooler uses its own ids. */
  readonly processID: number | null
  query(query: string | { name: string; text: string }): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}

/** After this many held sessions the check gives up: other clients use the sessions, and the result is unknown. */
const HELD_MAX = 5

const SESSION = 'select pg_backend_pid() as pid'

const sessionOf = async (client: PoolerClient, query: Parameters<PoolerClient['query']>[0] = SESSION) =>
  (await client.query(query)).rows.map((row) => (row as { pid: number }).pid)[0]

/** Prepares a statement on one session of the server, and runs it while another client holds that session. */
async function moveOn(open: () => Promise<PoolerClient>): Promise<true | undefined> {
  const statement = { name: `rapport_check_${randomUUID()}`, text: SESSION }
  const client = await open()
  const session = await sessionOf(client, statement)
  // There is no pooler in between.
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

/** @returns false if the pooler loses prepared statements; undefined: unknown, such as while the pooler is busy */
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
    // Not awaited: a client may still wait for a session.
    for (const client of clients) client.end().catch(() => undefined)
  }
}

const WAIT_MS = 2000

/** Connects without session settings, which a pooler refuses. */
export const connectToPooler = (connection: pg.ClientConfig) => async (): Promise<PoolerClient> => {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: WAIT_MS, query_timeout: WAIT_MS })
  client.on('error', () => undefined)
  await client.connect()
  return client as pg.Client & PoolerClient
}
