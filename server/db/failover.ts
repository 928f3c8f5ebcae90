// What servers say on their connections while another takes their place.
//
// A commit that is cancelled while it waits for a synchronous standby answers success with a warning: the change is in
// this server, and is lost if it is replaced now. Here that commit fails, with an unknown outcome.
//
// A server that became read-only refuses changes, while the address may lead to another server already. So connections
// that are refused are replaced, and the idle ones with them. None is replaced in its first second: a server that stays
// read-only must not be busy only with new connections.
import type pg from 'pg'

/** Whether the transaction is lost with this server is not known. */
class UnconfirmedCommitError extends Error {
  override readonly name = 'UnconfirmedCommitError'
  /** transaction_resolution_unknown */
  readonly code = '08007'

  constructor() {
    super('The transaction is committed, but may not be on a standby yet')
  }
}

const WARNING = '01000'
const ADMIN_SHUTDOWN = '57P01'
const READ_ONLY = '25006'
const REPLACED_AFTER_MS = 1000

/** Messages are translated; the function of PostgreSQL that warns is not. */
const isUnconfirmed = ({ code, routine }: Pick<pg.DatabaseError, 'code' | 'routine'>): boolean =>
  (code === WARNING || code === ADMIN_SHUTDOWN) && routine === 'SyncRepWaitForLSN'

interface Followed {
  openedAt: number
  isIdle: boolean
}

const isOld = ({ openedAt }: Followed) => performance.now() - openedAt >= REPLACED_AFTER_MS

/** Of a pool without connections yet. */
export function followServer(pool: pg.Pool): void {
  const all = new Map<pg.PoolClient, Followed>()
  const replace = (client: pg.PoolClient, followed: Followed) => {
    if (!isOld(followed)) return
    // In use: the pool removes it when it is given back.
    void client.end().catch(() => undefined)
    for (const [one, other] of all)
      if (other.isIdle && isOld(other)) one.connection.stream.destroy(new Error('The server is read-only'))
  }
  pool.on('connect', (client) => {
    const followed = { openedAt: performance.now(), isIdle: false }
    all.set(client, followed)
    client.on('notice', (notice) => {
      if (isUnconfirmed(notice)) client.connection.emit('error', new UnconfirmedCommitError())
    })
    client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (code === READ_ONLY) replace(client, followed)
    })
  })
  pool.on('remove', (client) => all.delete(client))
  const mark = (client: pg.PoolClient, isIdle: boolean) => {
    const followed = all.get(client)
    if (followed) followed.isIdle = isIdle
  }
  pool.on('acquire', (client) => mark(client, false))
  pool.on('release', (_error, client) => mark(client, true))
}
