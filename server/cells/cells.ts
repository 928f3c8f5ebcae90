// Cells are databases, each with all data of its organizations: records, events, webhooks, workflows, files. The
// directory holds organizations, users, members, API keys and sessions. It is cell 0, and by default the only cell.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isUuid } from '../../contract/common.ts'
import { unavailable } from '../base/errors.ts'
import { hashToken, organizationOf } from '../base/token.ts'
import type { BaseContext } from '../db/base-context.ts'
import type { Cells } from '../db/databases.ts'
import type { Db } from '../db/pool.ts'
import type { Shares } from '../db/shares.ts'
import type { CellContext } from './context.ts'
import { copyChanges, copyNewOrganization } from './copies.ts'
import { cellOfMovedToken, cellOfOrganization, chooseCell, getLastMigration, selectCells } from './store.ts'

/** How long a request waits for its copies. */
const COPY_MS = 1000

const notReady = () => unavailable('The database of this organization does not respond: try again shortly')

/**
 * Runs work that catches up with everything committed before it began. A call during a run waits for the next run,
 * because the current one may have missed the caller's commit.
 */
function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        const run = work()
        running = run
        return run
      })
    return next
  }
}

export class OpenedCells<Context extends CellContext> implements Cells<Context> {
  /** Whether the directory is the only cell. */
  readonly #isOnly: boolean
  readonly #log: Logger
  readonly #opened = new Map<number, Context>()
  readonly #copies = new Map<number, () => Promise<unknown>>()
  /** Cells that did not respond to the last probe: nothing waits for them. */
  readonly #silent = new Set<number>()

  constructor({ config, log }: Pick<BaseContext, 'config' | 'log'>) {
    this.#isOnly = config.cells.length === 0
    this.#log = log
  }

  get directoryShares(): Shares {
    return this.of(0).shares
  }

  get opened(): ReadonlyMap<number, Context> {
    return this.#opened
  }

  /** Adds a cell whose database is prepared. The directory, cell 0, must be added first. */
  add(ctx: Context): void {
    this.#opened.set(ctx.cell, ctx)
    const copy = oneAtATime(() => copyChanges(this.of(0).db, ctx))
    if (ctx.cell > 0) this.#copies.set(ctx.cell, copy)
  }

  /** Whether the cell did not respond to the last probe. */
  isSilent(cell: number): boolean {
    return this.#silent.has(cell)
  }

  of(cell: number): Context {
    const found = this.#opened.get(cell)
    if (!found) throw notReady()
    return found
  }

  async cellOfOrganization(orgId: string): Promise<number> {
    if (this.#isOnly || !isUuid(orgId)) return 0
    return (await cellOfOrganization(this.of(0).admission, orgId)) ?? 0
  }

  async cellOfToken(token: string): Promise<number> {
    const orgId = organizationOf(token)
    if (orgId !== undefined) return this.cellOfOrganization(orgId)
    return this.#isOnly ? 0 : ((await cellOfMovedToken(this.of(0).admission, hashToken(token))) ?? 0)
  }

  async choose(directory: Db): Promise<number> {
    if (this.#isOnly) return 0
    return chooseCell(
      directory,
      [...this.#opened.keys()].filter((cell) => !this.#silent.has(cell)),
    )
  }

  async seed(
    directory: Db,
    { id, cell }: { id: string; cell: number },
    work: (tx: Db) => Promise<void>,
  ): Promise<void> {
    if (cell === 0) return work(directory)
    // Committed before the directory's transaction, which publishes the organization: rows of a failure stay unseen.
    await this.of(cell)
      .shares.of('entrance', 'request')
      .transaction(async (tx) => {
        await copyNewOrganization(directory, tx, id)
        await work(tx)
      })
  }

  /** Waits at most a second. The copier of the worker copies to cells that have not responded by then. */
  async copy(): Promise<void> {
    if (this.#isOnly) return
    const copies = this.#copyWaiting((cell) => !this.#silent.has(cell)).catch((err: unknown) =>
      this.#log.warn({ err }, 'changes of members were not copied to cells yet'),
    )
    await Promise.race([copies, delay(COPY_MS, undefined, { ref: false })])
  }

  /** Copies to every cell, and probes which cells respond. */
  async catchUp(): Promise<void> {
    const probes = [...this.#copies.keys()].map((cell) => this.#probe(cell))
    await Promise.all(probes)
    await this.#copyWaiting(() => true)
  }

  async #probe(cell: number): Promise<void> {
    const { admission, log } = this.of(cell)
    try {
      await getLastMigration(admission)
      if (this.#silent.delete(cell)) log.info({ cell }, 'a cell responds again')
    } catch (err) {
      if (!this.#silent.has(cell)) log.warn({ err, cell }, 'a cell does not respond')
      this.#silent.add(cell)
    }
  }

  async #copyWaiting(isAsked: (cell: number) => boolean): Promise<void> {
    const waiting = await selectCells(this.of(0).db, { isWaiting: true })
    const copies = waiting.filter(({ cell }) => isAsked(cell)).map(({ cell }) => this.#copies.get(cell)?.())
    const failed = (await Promise.allSettled(copies)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}
