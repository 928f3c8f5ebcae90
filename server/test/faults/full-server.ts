// A PostgreSQL on a small disk that the service cannot see: only the answers of the server report that it is full.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClient } from '../../db/database.ts'
import { runFixture } from '../../db/embedded/fixture-process.ts'
import { SERVICE_ROLE } from '../../db/embedded/service-role.ts'
import type { EmbeddedConnection } from '../../db/embedded.ts'
import type { Pool } from '../../db/pool.ts'
import { furnishServer } from '../outage/server.ts'
import { removeFolder } from '../temporary-folder.ts'
import { ON_SMALL_DISK } from './embedded-stage.ts'
import { fillToTheEnd } from './filling.ts'

export interface FullServer {
  pool: Pool
  connection: EmbeddedConnection
  /** Fills the rest of its disk. */
  fill(): Promise<void>
  free(): Promise<void>
  close(): Promise<void>
}

const SEGMENTS = 4

/** Creates recycled files of the write-ahead log: without them the server ends before it refuses a statement. */
async function prepareLog(administration: EmbeddedConnection): Promise<void> {
  await withClient(administration, async (client) => {
    for (let made = 0; made < SEGMENTS; made++) {
      await client.query(`select pg_logical_emit_message(false, 'fill', 'x', true)`)
      await client.query('select pg_switch_wal()')
    }
    await client.query('checkpoint')
  })
}

export async function startFullServer(): Promise<FullServer> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-full-'))
  const { pid, answer, end } = await runFixture(folder, {
    launcher: ON_SMALL_DISK,
    spawn: { env: { ...process.env, DATA_DIR: folder } },
  })
  if (answer.connection === undefined) throw new Error(answer.error)
  const seen = { ...answer.connection, host: join(`/proc/${pid}/root`, answer.connection.host) }
  const administration = (database: string) => ({ ...seen, database })
  const connection = (database: string) => ({ ...seen, user: SERVICE_ROLE, database })
  const server = await furnishServer({ administration, connection })
  await prepareLog(server.administration)
  const ballast = join(`/proc/${pid}/root`, folder, 'ballast')
  return {
    ...{ pool: server.pool, connection: server.connection },
    fill: () => fillToTheEnd(ballast),
    free: () => rm(ballast),
    async close() {
      await server.pool.close()
      await end()
      await removeFolder(folder)
    },
  }
}
