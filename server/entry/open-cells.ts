// Opens the cells that the directory lists, also while the service runs.
import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../base/errors.ts'
import { cellConnection } from '../cells/connection.ts'
import { type CellRow, countOrganizationsByCell, isCell, selectCells } from '../cells/store.ts'
import { ConfigError } from '../config/config.ts'
import type { Context } from '../context.ts'
import { requireUsable } from '../db/database.ts'
import type { Pool } from '../db/pool.ts'
import { prepareDatabase } from '../operations/prepare-database.ts'
import { createContext, type OpenCell, type OpenContext, openCellOf, openPools } from './open-context.ts'

export interface CellSet {
  /** @throws 503 unavailable until the cell's database has responded */
  get(cell: number): OpenCell
  /** Opens cells that were added since the last call. @throws ConfigError if CELLS does not name one of them */
  refresh(): Promise<void>
  /** Copies changes in the directory to every cell. */
  catchUp(): Promise<void>
  /** Settles when every known cell is open, or after `ms`. */
  settled(ms: number): Promise<void>
  /** Waits for running migrations. @returns names of the cells that are not open */
  unprepared(): Promise<string[]>
  /** Cancels the work that waits for unresponsive cells: otherwise a stop would wait for it. */
  giveUpSilent(): void
  /** Cancels the work that still runs on the databases of the cells. */
  breakOff(): void
  close(): Promise<void>
}

interface Options {
  /** Called with each cell when its database is prepared. */
  onOpened?: (cell: OpenCell) => Promise<void>
}

interface Tries {
  connection: Connection
  /** Ends the attempts. */
  signal: AbortSignal
}

const RETRY_MS = 2000

/** Checks that the database is this cell: a wrong one would serve another cell's organizations. @throws ConfigError */
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

/** Repeats `work` until it succeeds, and logs each new error once. @returns false if the service stops before */
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
      if (signal.aborted) return false
      const message = String(err)
      if (message !== last) log.error({ err, cell: name }, 'a cell is not available yet')
      last = message
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return false
}

/** Stops waiting on the signal, because a connection attempt cannot be cancelled. @throws the reason of the signal */
async function unlessEnded<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function connectionTo({ config }: Context, { name }: CellRow): Connection {
  const connection = cellConnection(config, name)
  if (connection) return connection
  throw new ConfigError(`CELLS must name the address of the cell ${name}: ${name}=postgres://…`)
}

/**
 * Lists the cells that are not open yet. A draining cell without organizations may be missing in CELLS: this process
 * then ignores it, even if it is used again later.
 */
function listUnopened({ config, db }: Context, opened: ReadonlyMap<number, unknown>) {
  const removed = new Set<number>()
  return async (): Promise<CellRow[]> => {
    const rows = (await selectCells(db)).filter(({ cell }) => !opened.has(cell) && !removed.has(cell))
    const leftOut = rows.filter(({ name, state }) => state === 'draining' && !cellConnection(config, name))
    if (leftOut.length === 0) return rows
    const used = new Set((await countOrganizationsByCell(db)).map(({ cell }) => cell))
    for (const { cell } of leftOut) if (!used.has(cell)) removed.add(cell)
    return rows.filter(({ cell }) => !removed.has(cell))
  }
}

interface Opening extends OpenCell {
  name: string
  /** The cell's database has responded and is being migrated. */
  isPreparing: boolean
  /** Settles when the cell is open, or when the service stops. */
  settled: Promise<unknown>
  isOpened: boolean
}

type Directory = Pick<OpenContext, 'ctx' | 'cells'>

function openCell({ ctx, cells }: Directory, row: CellRow, given: Options & Tries): Opening {
  const { connection, signal, onOpened } = given
  const cell = connect(ctx, row, connection)
  const attempt = (work: () => Promise<unknown>) => untilDone(ctx, row.name, signal, work)
  const prepare = async () => {
    await unlessEnded(signal, requireUsable(connection))
    opening.isPreparing = true
    await prepareDatabase(cell.pool, ctx.log)
    await requireSame(ctx, cell.pool, row)
    // A wrong address of a replica is only logged: the cell is then read without this replica.
    await cell.ctx.replicas?.start()
  }
  const open = async () => {
    const prepareOnce = () =>
      prepare().finally(() => {
        opening.isPreparing = false
      })
    if (!(await attempt(prepareOnce))) return
    cells.add(cell.ctx)
    opening.isOpened = await attempt(async () => onOpened?.(cell))
  }
  const opening: Opening = {
    ...{ ...cell, name: row.name, isPreparing: false, isOpened: false },
    settled: Promise.resolve(),
  }
  opening.settled = open()
  return opening
}

const PREPARED_POLL_MS = 100

async function unpreparedOf(all: ReadonlyMap<number, Opening>): Promise<string[]> {
  while ([...all.values()].some(({ isPreparing }) => isPreparing)) await delay(PREPARED_POLL_MS)
  return [...all.values()].filter(({ isOpened }) => !isOpened).map(({ name }) => name)
}

/**
 * Opens the cells that the directory lists. A cell that does not respond is tried again; until it responds, requests
 * for its organizations return 503.
 * @throws ConfigError if CELLS names no address for a cell
 */
export async function openCells(opened: Directory, options: Options = {}): Promise<CellSet> {
  const { ctx: directory, cells } = opened
  const stopping = new AbortController()
  const { signal } = stopping
  const all = new Map<number, Opening>()
  const unopened = listUnopened(directory, all)
  const refresh = async () => {
    const added = await unopened()
    // Reads all addresses before the first connection, so that an error leaves no connection open.
    const addresses = added.map((row) => ({ row, connection: connectionTo(directory, row) }))
    for (const { row, connection } of addresses)
      all.set(row.cell, openCell(opened, row, { ...options, connection, signal }))
  }
  const giveUpSilent = () => {
    stopping.abort()
    for (const [cell, one] of all) if (!one.isOpened || cells.isSilent(cell)) one.breakOff()
  }
  await refresh()
  return {
    get(cell) {
      const opening = all.get(cell)
      // cells.of throws if the cell has not responded.
      if (cells.of(cell) && opening) return opening
      throw unavailable()
    },
    refresh,
    catchUp: () => cells.catchUp(),
    async settled(ms) {
      const waiting = [...all.values()].map(({ settled }) => settled)
      await Promise.race([Promise.all(waiting), delay(ms, undefined, { ref: false })])
    },
    unprepared: () => unpreparedOf(all),
    giveUpSilent,
    breakOff() {
      for (const one of all.values()) one.breakOff()
    },
    async close() {
      giveUpSilent()
      await Promise.allSettled([...all.values()].map(({ settled }) => settled))
      for (const one of all.values()) await one.close()
    },
  }
}
