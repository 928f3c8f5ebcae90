// Reads that a standby may answer in place of the primary. Only what a standby answers with success counts: what
// goes wrong on one, a conflict with its recovery, a lost connection, a refusal for want of what it does not have yet, is
// asked of the primary.

import { errorCode } from '../../base/error-code.ts'
import { AppError } from '../../base/errors.ts'
import type { BaseContext } from '../base-context.ts'
import type { Shares } from '../shares.ts'
import type { PrimaryReason, ReplicaRead } from './replicas.ts'

export type ReadKind = 'list' | 'report' | 'export'

/** What is known of a replica that is read. */
export interface ReplicaFacts {
  /** By the service's clock: nothing is missing of what was committed before. */
  asOf: Date
}

/** What a read uses of a context. */
export type ReadContext = Pick<BaseContext, 'db' | 'shares' | 'replicas' | 'reader' | 'log' | 'clock'>

type Read = ReplicaRead<{ shares: Shares }>

/** Thrown in place of an error that could be taken for one of the primary: the primary is to be read. */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError'

  constructor(cause: unknown) {
    super('A read of a replica failed', { cause })
  }
}

const causeOf = (error: unknown) => (error instanceof ReplicaError ? error.cause : error)

/** Ended because the primary has removed what the statement may still see, or locked it. */
const isConflict = (error: unknown) => errorCode(error) === '40001'

const reasonOf = (error: unknown): PrimaryReason => (isConflict(causeOf(error)) ? 'conflict' : 'failed')

/** Whether it would be the same on the primary. A standby that hangs takes too long for anything. */
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

/** The context with everything that reads led to the replica. */
function contextOn<Ctx extends ReadContext>(ctx: Ctx, { use }: Read, org: number): Ctx {
  const db = use.shares.of(org, 'request')
  const { scope } = ctx.db
  return { ...ctx, ...use, db: scope ? db.inScope(scope) : db }
}

export interface ReplicaReadOptions {
  kind: ReadKind
  org: number
  /** Aborts when no client waits for the read. */
  signal?: AbortSignal | undefined
}

/**
 * Reads on a replica, or on the primary where there is none that is close enough to it, and where the replica fails.
 * @param work changes nothing, and may be called twice
 */
export async function readAtReplica<Ctx extends ReadContext, Result>(
  ctx: Ctx,
  { kind, org, signal }: ReplicaReadOptions,
  work: (ctx: Ctx, replica?: ReplicaFacts) => Promise<Result>,
): Promise<Result> {
  const { replicas, db, log, clock } = ctx
  // What a transaction has written is seen only by its own statements.
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
