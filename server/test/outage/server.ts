import pino from 'pino'
import { DATABASE_NAME, ensureDatabase, withClient } from '../../db/database.ts'
import { ensureServiceRole, SERVICE_ROLE } from '../../db/embedded/service-role.ts'
import type { Settings } from '../../db/embedded/settings.ts'
import { type EmbeddedConnection, type EmbeddedServer, startEmbedded } from '../../db/embedded.ts'
import { openPool, type Pool } from '../../db/pool.ts'
import { prepareDatabase } from '../../operations/prepare-database.ts'
import { signalServer } from '../standby.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SETTINGS: Settings = { fsync: 'off', shared_buffers: '64MB' }

/** A state of the database during requests. */
export interface State {
  begin(): Promise<void>
  end(): Promise<void>
}

export interface TakenAway {
  dataDir: string
  pool: Pool
  connection: EmbeddedConnection
  /** Settings to connect as the superuser that owns the server. */
  administration: EmbeddedConnection
  states: Readonly<Record<'read-only' | 'out of connections' | 'frozen' | 'stopped', State>>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Creates the database of the service, which an ordinary role owns. */
export async function furnishServer(server: Pick<EmbeddedServer, 'administration' | 'connection'>) {
  // A connection to another database, which works while the service's database is read-only.
  const outside = server.administration('postgres')
  await ensureDatabase(outside, DATABASE_NAME)
  const administration = server.administration(DATABASE_NAME)
  const { password } = administration
  await withClient(administration, (client) =>
    ensureServiceRole(client, { database: DATABASE_NAME, password }),
  )
  const connection = server.connection(DATABASE_NAME)
  const pool = openPool({ connection, max: 10, statementTimeoutMs: 30_000, onError: () => undefined })
  await prepareDatabase(pool, pino({ level: 'silent' }))
  return { outside, administration, connection, pool }
}

/** A state caused by a setting. Ends the sessions of the service, so that it has to connect again. */
export function settingOf(administration: EmbeddedConnection, begin: string, end: string): State {
  const administer = (statement: string) =>
    withClient(administration, async (client) => {
      await client.query(statement)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
        SERVICE_ROLE,
      ])
    })
  return { begin: () => administer(begin), end: () => administer(end) }
}

export async function startServer(): Promise<TakenAway> {
  const dataDir = await temporaryFolder('outage')
  const start = () => startEmbedded({ dataDir, settings: SETTINGS })
  let server = await start()
  const { outside, administration, connection, pool } = await furnishServer(server)
  const stop = () => server.stop()
  const startAgain = async () => {
    server = await start()
  }
  return {
    dataDir,
    ...{ pool, connection, administration },
    states: {
      'read-only': settingOf(
        outside,
        `alter database ${DATABASE_NAME} set default_transaction_read_only = on`,
        `alter database ${DATABASE_NAME} reset default_transaction_read_only`,
      ),
      'out of connections': settingOf(
        outside,
        `alter role ${SERVICE_ROLE} connection limit 0`,
        `alter role ${SERVICE_ROLE} connection limit -1`,
      ),
      frozen: {
        begin: () => signalServer({ connection }, 'SIGSTOP'),
        end: () => signalServer({ connection }, 'SIGCONT'),
      },
      stopped: { begin: stop, end: startAgain },
    },
    async restart() {
      await stop()
      await startAgain()
    },
    async close() {
      await pool.close()
      await stop()
    },
  }
}
