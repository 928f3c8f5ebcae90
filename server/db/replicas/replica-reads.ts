// Reads that a standby may answer in place of the primary. If such a read fails, it is repeated on the primary: causes
// are a conflict with replay, a lost connection, or data that the standby does not have yet.

import { errorCode } from '../../base/error-code.ts'
import { AppError } from '../../base/errors.ts'
import type { BaseContext } from '../base-context.ts'
import type { Shares } from '../shares.ts'
import type { PrimaryReason, ReplicaRead } from './replicas.ts'

export type ReadKind = 'list' | 'report' | 'export'

/** How current the replica of a read is. */
export interface ReplicaFacts {
  /** The replica has all commits from before this time, by the service's clock. */
  asOf: Date
}

/** The parts of a context that a read uses. */
export type ReadContext = Pick<BaseContext, 'db' | 'shares' | 'replicas' | 'reader' | 'log' | 'clock'>

type Read = ReplicaRead<{ shares: Shares }>

/** Wraps an error of a replica, so that it is not mistaken for one of the primary and the primary is read. */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError'

  constructor(cause: unknown) {
    super('A read of a replica failed', { cause })
  }
}

const causeOf = (error: unknown) => (error instanceof ReplicaError ? error.cause : error)

/** The statement was ended because the primary has removed rows that it may still read, or has locked a table. */
const isConflict = (error: unknown) => errorCode(error) === '40001'

const reasonOf = (error: unknown): PrimaryReason => (isConflict(causeOf(error)) ? 'conflict' : 'failed')

/**
 * Whether the primary must not be read: the read was aborted, or would fail there too. On a standby that hangs, any read
 * seems too expensive.
 */
async function isFinal(
  error: unknown,
  isAborted: boolean,
  { answers }: Pick<Read, 'answers'>,
): Promise<boolean> {
  if (isAborted) return true
  if (!(error instanceof AppError)) return false
  if (error.code === 'query_too_expensive') return answers()
  return error.code === 'rate_limit_exceeded' || error.code === 'report_busy'
}

/** The context with reads directed to the replica. */
function contextOn<Ctx extends ReadContext>(ctx: Ctx, { use }: Read, org: number): Ctx {
  const db = use.shares.of(org, 'request')
  const { scope } = ctx.db
  return { ...ctx, ...use, db: scope ? db.inScope(scope) : db }
}

export interface ReplicaReadOptions {
  kind: ReadKind
  org: number
  /** Aborted when no client waits for the read any more. */
  signal?: AbortSignal | undefined
}

/**
 * Reads on a replica. Reads on the primary if no replica is current enough, and if the replica fails.
 * @param work must only read, and may be called twice
 */
export async function readAtReplica<Ctx extends ReadContext, Result>(
  ctx: Ctx,
  { kind, org, signal }: ReplicaReadOptions,
  work: (ctx: Ctx, replica?: ReplicaFacts) => Promise<Result>,
): Promise<Result> {
  const { replicas, db, log, clock } = ctx
  // Only statements of the transaction itself see its writes.
  if (replicas === undefined || db.inTransaction) return work(ctx)
  const read = await replicas.choose(kind, ctx.reader, org)
  if (read === undefined) return work(ctx)
  const asOf = new Date(clock.now().getTime() - read.staleMs)
  let failure: PrimaryReason | undefined
  try {
    return await work(contextOn(ctx, read, org), { asOf })
  } catch (error) {
    const isAborted = signal?.aborted === true || db.scope?.isCut === true
    if (await isFinal(error, isAborted, read)) throw causeOf(error)
    failure = reasonOf(error)
    log.debug({ err: causeOf(error), kind }, 'a read of a replica failed: the primary is read')
  } finally {
    read.end(failure)
  }
  return work(ctx)
}
