// The cells other than the directory: opened when it lists them, also while the service runs.
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
  /** @throws 503 unavailable until its database has answered */
  get(cell: number): OpenCell
  /** Opens cells that were added meanwhile. @throws ConfigError when CELLS does not name one */
  refresh(): Promise<void>
  /** Copies to every cell what has changed in the directory. */
  catchUp(): Promise<void>
  /** Settles when every cell that is known has answered, or after `ms`. */
  settled(ms: number): Promise<void>
  /** Waits for migrations that are under way. @returns names of cells that are not prepared */
  unprepared(): Promise<string[]>
  /** Ends what waits for cells that do not respond: a stop would wait for it too. */
  giveUpSilent(): void
  /** Ends what still runs on their databases. */
  breakOff(): void
  close(): Promise<void>
}

interface Options {
  /** What is done with a cell once its database is prepared. */
  onOpened?: (cell: OpenCell) => Promise<void>
}

interface Tries {
  connection: Connection
  /** Ends the attempts. */
  signal: AbortSignal
}

const RETRY_MS = 2000

/** A database under the wrong name would serve another cell's organizations as its own. @throws ConfigError */
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
      if (signal.aborted) return false
      const message = String(err)
      if (message !== last) log.error({ err, cell: name }, 'a cell is not available yet')
      last = message
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return false
}

/** A connection that is being made cannot be ended: it is no longer waited for. @throws the reason of the signal */
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
 * Lists the cells that are not opened yet. A drained one without organizations may be left out of CELLS: it is removed
 * for this process, also if it is used again later.
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
  /** Its database has answered, and is being migrated. */
  isPreparing: boolean
  /** Settles when it is opened, or the service stops before. */
  settled: Promise<unknown>
  isOpened: boolean
}

type Directory = Pick<OpenContext, 'ctx' | 'cells'>

/** Begins to open a cell. */
function openCell({ ctx, cells }: Directory, row: CellRow, given: Options & Tries): Opening {
  const { connection, signal, onOpened } = given
  const cell = connect(ctx, row, connection)
  const attempt = (work: () => Promise<unknown>) => untilDone(ctx, row.name, signal, work)
  const prepare = async () => {
    await unlessEnded(signal, requireUsable(connection))
    opening.isPreparing = true
    await prepareDatabase(cell.pool, ctx.log)
    await requireSame(ctx, cell.pool, row)
    // A wrong address of a replica is logged: the cell is read without it.
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
 * Opens the cells that the directory lists. One that does not respond is tried again: requests for its organizations
 * are answered 503 until then.
 * @throws ConfigError when CELLS names no address for a cell
 */
export async function openCells(opened: Directory, options: Options = {}): Promise<CellSet> {
  const { ctx: directory, cells } = opened
  const stopping = new AbortController()
  const { signal } = stopping
  const all = new Map<number, Opening>()
  const unopened = listUnopened(directory, all)
  const refresh = async () => {
    const added = await unopened()
    // All addresses before the first connection: what throws leaves nothing open.
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
      // Throws where it has not answered.
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
