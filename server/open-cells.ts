// The cells beside the directory: opened when it lists them, also while the service runs.
import { setTimeout as delay } from 'node:timers/promises'
import type { CellAddress } from './cells/addresses.ts'
import type { OpenedCells } from './cells/cells.ts'
import { type CellRow, getInstallation, selectCells } from './cells/store.ts'
import { type Config, ConfigError } from './config.ts'
import type { Context } from './context.ts'
import type { Pool } from './db/pool.ts'
import { unavailable } from './errors.ts'
import { createContext, type OpenCell, openPools } from './open-context.ts'
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
  const [own, there] = [await getInstallation(directory.db), await getInstallation(pool)]
  if (there.id === own.id && there.cell === cell) return
  throw new ConfigError(
    `CELLS: the database of ${name} is not the cell that was added under this name: correct its address`,
  )
}

interface Opening extends OpenCell {
  row: CellRow
  pool: Pool
}

function connect(directory: Context, row: CellRow, address: CellAddress): Opening {
  const { log } = directory
  const config = { ...directory.config, databaseUrl: address.databaseUrl }
  const isPooled = config.databasePooler === 'transaction'
  const connection = { connectionString: address.databaseUrl, isPooled }
  const pools = openPools({ connection, embedded: undefined }, config, log)
  const { ctx, close } = createContext(config, pools, { log }, { cell: row.cell, directory })
  const { pool, admission, enginePool, readinessPool } = pools
  return {
    row,
    ctx,
    pool,
    enginePool,
    breakOff() {
      for (const one of [pool, admission, enginePool, ctx.reports.pool, ctx.exports.pool]) one.breakOff()
    },
    async close() {
      await close()
      for (const one of [enginePool, readinessPool, admission, pool]) await one.close()
    },
  }
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

function addressIn(config: Config, { name }: CellRow): CellAddress {
  const address = config.cells.find((one) => one.name === name)
  if (address) return address
  throw new ConfigError(`CELLS must name the address of the cell ${name}: ${name}=postgres://…`)
}

/**
 * Opens the cells that the directory lists. One that does not respond is tried again: requests for its organizations
 * are answered 503 until then.
 * @throws ConfigError when CELLS names no address for a cell
 */
export async function openCells(
  config: Config,
  directory: Context,
  { onOpened }: Options = {},
): Promise<CellSet> {
  const stopping = new AbortController()
  const all = new Map<number, Opening & { isOpened: Promise<unknown> }>()
  const cells = directory.cells as OpenedCells
  const open = (row: CellRow, address: CellAddress) => {
    const opening = connect(directory, row, address)
    const attempt = (work: () => Promise<unknown>) => untilDone(directory, row.name, stopping.signal, work)
    const prepare = async () => {
      await prepareDatabase(opening.pool, directory.log)
      await requireSame(directory, opening.pool, row)
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
    const addresses = added.map((row) => ({ row, address: addressIn(config, row) }))
    for (const { row, address } of addresses) open(row, address)
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
