// Starts and fills one installed peer, in a separate database on the embedded server of the service.
import { performance } from 'node:perf_hooks'
import type { ClientConfig } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { ensureDatabase, withClient } from '../../server/db/database.ts'
import { openPool } from '../../server/db/pool.ts'
import type { Lab } from '../harness/lab.ts'
import type { Party } from './party.ts'
import type { OpenPeer, Peer, PeerConnection } from './peer.ts'
import { copyPeople } from './people.ts'
import { freePort } from './processes.ts'
import type { Plan } from './rapport.ts'
import { VERSIONS } from './versions.ts'

const STATEMENT_TIMEOUT_MS = 600_000

const peerDatabase = (administration: ClientConfig, database: string): PeerConnection => ({
  ...(administration as PeerConnection),
  database,
})

/** Reports how long `work` took. @param notice label of the duration */
async function timed<Result>(lab: Lab, notice: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work()
  lab.tell(`${notice}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  return result
}

async function fill(
  lab: Lab,
  connection: PeerConnection,
  { table, indexes }: OpenPeer,
  { records }: Plan,
): Promise<Party['countRows']> {
  await copyPeople(connection, table, { records, tell: (line) => lab.tell(line) })
  const onError = (error: Error) => lab.tell(error.message)
  const pool = openPool({ connection, max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError })
  lab.onClose(() => pool.close())
  for (const statement of [...indexes, 'vacuum (analyze, parallel 0)']) await pool.run(sql`${raw(statement)}`)
  return () => pool.value<number>(sql`select count(*) from ${raw(table.name)}`)
}

/** @param folder where the peer is installed */
export async function openPeer(
  lab: Lab,
  { peer, folder, administration }: { peer: Peer; folder: string; administration: ClientConfig },
  plan: Plan,
): Promise<Party> {
  const { title } = VERSIONS[peer.name]
  const connection = peerDatabase(administration, `peer_${peer.name}`)
  await ensureDatabase(administration, connection.database)
  // The time zone of the service's sessions.
  await withClient(connection, (client) =>
    client.query(`alter database ${client.escapeIdentifier(connection.database)} set timezone = 'UTC'`),
  )
  const place = { folder, port: await freePort(), connection }
  const opened = await timed(lab, `${title} started`, () => peer.open(lab, place))
  const countRows = await timed(lab, `${title} filled`, () => fill(lab, connection, opened, plan))
  const ids = plan.sample.map(opened.idOf)
  return { title, address: opened.address, ids, pid: opened.child.pid, countRows }
}
