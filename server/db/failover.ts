// Handles messages of a server that is being replaced by another one.
//
// If a commit is cancelled while it waits for a synchronous standby, PostgreSQL reports success with a warning: the
// change may be only in this server, and would then be lost if it were replaced. Here such a commit fails with an
// unknown outcome.
//
// A server that became read-only refuses changes, but the address may already lead to another server. So a connection
// with such a refusal is replaced, and so are the idle connections. No connection is replaced in its first second: a
// server that stays read-only must not spend all its time on new connections.
import type pg from 'pg'

/** The transaction is committed on this server, but may be lost if the server is replaced. */
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

/** Compares the name of PostgreSQL's function, since the text of the warning is translated. */
const isUnconfirmed = ({ code, routine }: Pick<pg.DatabaseError, 'code' | 'routine'>): boolean =>
  (code === WARNING || code === ADMIN_SHUTDOWN) && routine === 'SyncRepWaitForLSN'

interface Followed {
  openedAt: number
  isIdle: boolean
}

const isOld = ({ openedAt }: Followed) => performance.now() - openedAt >= REPLACED_AFTER_MS

/** Call it before the pool opens connections. */
export function followServer(pool: pg.Pool): void {
  const all = new Map<pg.PoolClient, Followed>()
  const replace = (client: pg.PoolClient, followed: Followed) => {
    if (!isOld(followed)) return
    // The connection is in use: the pool removes it when it is released.
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
