// The databases that hold the data of an organization.
import type { Db } from './pool.ts'
import type { Replicas } from './replicas/replicas.ts'
import type { Shares } from './shares.ts'

export interface Databases {
  /** The number of the cell that `db` is; 0: the directory's own. */
  cell: number
  /** The database of organizations, users, members, API keys and sessions; the same database as `db` in cell 0. */
  directory: Db
  /** The cell's pool, or the transaction of the request if the request has an Idempotency-Key. */
  db: Db
  /** Connections of the pool that belong to one organization. */
  shares: Shares
  /** Standbys that serve reads in place of the cell's database (db/replicas/replica-reads.ts), if there are any. */
  replicas: Replicas<{ shares: Shares }> | undefined
  /** Connections for checks of keys, sessions and rate limits only: these checks never wait for other queries. */
  admission: Db
  cells: Placement
}

/** The databases that hold organizations, each with its context. */
export interface Cells<Context> extends Placement {
  /** Connections of the directory's database. */
  readonly directoryShares: Shares
  /** Cells whose databases have answered, by number; 0 is the directory's own. */
  readonly opened: ReadonlyMap<number, Context>
  /** @throws 503 unavailable until the cell's database has answered */
  of(cell: number): Context
}

/** Finds the cells of organizations, and chooses those of new ones (server/cells). */
export interface Placement {
  /** The cell of an organization, by its public id; 0 for an unknown organization. */
  cellOfOrganization(orgId: string): Promise<number>
  /** The cell of a token (base/token.ts `makeTokenIn`). */
  cellOfToken(token: string): Promise<number>
  /** The number of the cell for a new organization. */
  choose(directory: Db): Promise<number>
  /**
   * Writes what a new organization starts with, in its cell: in the transaction `directory` that makes it, or in one
   * of the cell that is committed before.
   */
  seed(
    directory: Db,
    organization: { id: string; cell: number },
    work: (tx: Db) => Promise<void>,
  ): Promise<void>
  /** Updates the copies of the directory's rows in the cells, after a change is committed. */
  copy(): Promise<void>
}
