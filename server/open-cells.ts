// The cells beside the directory: opened when it lists them, also while the service runs.
import { setTimeout as delay } from 'node:timers/promises'
import { cellConnection } from './cells/connection.ts'
import { type CellRow, isCell, selectCells } from './cells/store.ts'
import { ConfigError } from './config.ts'
import type { Context } from './context.ts'
import type { Pool } from './db/pool.ts'
import { unavailable } from './errors.ts'
import { createContext, type OpenCell, type OpenContext, openCellOf, openPools } from './open-context.ts'
import { prepareDatabase } from './prepare-database.ts'

export interface CellSet {
  /** @throws 503 unavailable until its database has answered */
  get(cell: number): OpenCell
  /** Opens cells that were added meanwhile. @throws ConfigError when CELLS does not name one */
  refresh(): Promise<void>
  /** Copies to every cell what has changed in the directory. */
  catchUp(): Promise<void>
  /** Settles when every cell that is known has answered, or after `ms`. */
  settled(ms: number): Promise<void>
  /** Ends what still runs on their databases. */
  breakOff(): void
  close(): Promise<void>
}

interface Options {
  /** What is done with a cell once its database is prepared. */
  onOpened?: (cell: OpenCell) => Promise<void>
}

const RETRY_MS = 2000

/** A database under the wrong name would take another cell's organizations for its own. @throws ConfigError */
async function requireSame(directory: Context, pool: Pool, { cell, name }: CellRow): Promise<void> {
  if (await isCell(directory.db, pool, cell)) return
  throw new ConfigError(
    `CELLS: the database of ${name} is not the cell that was added under this name: correct its address`,
  )
}

type Connection = NonNullable<ReturnType<typeof cellConnection>>

function connect(directory: Context, { cell, name }: CellRow, connection: Connection): OpenCell {
  const { log } = directory
  const replicas = directory.config.replicas.filter((one) => one.cell === name)
  const config = { ...directory.config, databaseUrl: connection.connectionString, replicas }
  const pools = openPools({ connection, embedded: undefined }, config, log)
  return openCellOf(createContext(config, pools, { log }, { cell, directory }), pools)
}

/** Tries until it succeeds; what goes wrong is logged when it changes. @returns false when the service stops before */
async function untilDone(
  { log }: Context,
  name: string,
  signal: AbortSignal,
  work: () => Promise<unknown>,
): Promise<boolean> {
  let last: string | undefined
  while (!signal.aborted) {
    try {
      await work()
      return true
    } catch (err) {
      const message = String(err)
      if (message !== last) log.error({ err, cell: name }, 'a cell is not available yet')
      last = message
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return false
}

function connectionTo({ config }: Context, { name }: CellRow): Connection {
  const connection = cellConnection(config, name)
  if (connection) return connection
  throw new ConfigError(`CELLS must name the address of the cell ${name}: ${name}=postgres://…`)
}

/**
 * Opens the cells that the directory lists. One that does not respond is tried again: requests for its organizations
 * are answered 503 until then.
 * @throws ConfigError when CELLS names no address for a cell
 */
export async function openCells(
  { ctx: directory, cells }: Pick<OpenContext, 'ctx' | 'cells'>,
  { onOpened }: Options = {},
): Promise<CellSet> {
  const stopping = new AbortController()
  const all = new Map<number, OpenCell & { isOpened: Promise<unknown> }>()
  const open = (row: CellRow, connection: Connection) => {
    const opening = connect(directory, row, connection)
    const attempt = (work: () => Promise<unknown>) => untilDone(directory, row.name, stopping.signal, work)
    const prepare = async () => {
      await prepareDatabase(opening.pool, directory.log)
      await requireSame(directory, opening.pool, row)
      // A wrong address of a replica is logged: the cell is read without it.
      await opening.ctx.replicas?.start()
    }
    const isOpened = attempt(prepare).then(async (isPrepared) => {
      if (!isPrepared) return
      cells.add(opening.ctx)
      await attempt(async () => onOpened?.(opening))
    })
    all.set(row.cell, { ...opening, isOpened })
  }
  const refresh = async () => {
    const added = (await selectCells(directory.db)).filter(({ cell }) => !all.has(cell))
    // All addresses before the first connection: what throws leaves nothing open.
    const addresses = added.map((row) => ({ row, connection: connectionTo(directory, row) }))
    for (const { row, connection } of addresses) open(row, connection)
  }
  await refresh()
  return {
    get(cell) {
      const opening = all.get(cell)
      // Throws where it has not answered.
      if (cells.of(cell) && opening) return opening
      throw unavailable()
    },
    refresh,
    catchUp: () => cells.catchUp(),
    async settled(ms) {
      const waiting = [...all.values()].map(({ isOpened }) => isOpened)
      await Promise.race([Promise.all(waiting), delay(ms, undefined, { ref: false })])
    },
    breakOff() {
      for (const one of all.values()) one.breakOff()
    },
    async close() {
      stopping.abort()
      await Promise.allSettled([...all.values()].map(({ isOpened }) => isOpened))
      for (const one of all.values()) await one.close()
    },
  }
}
