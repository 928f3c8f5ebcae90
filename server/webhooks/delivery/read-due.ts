// Reads the due deliveries of an endpoint worker, ahead of sending.
import { type DueDelivery, selectDue } from './endpoint-queue-store.ts'
import { failExpired } from './health-store.ts'
import { renew } from './worker-lease.ts'
import { add, LOOK_AGAIN_MS, type WorkerContext, type WorkerMemory } from './worker-memory.ts'

const BATCH = 200
/** If fewer deliveries than this are read and not sent, the next ones are read while sending. */
const AHEAD = 100
/** Bytes of one read; fewer if all workers together hold many, but at least one delivery. */
const READ_BYTES = 1_000_000
const BUFFERED_BYTES = 128_000_000
/**
 * Retries become due while the lease is held, and other processes add deliveries without waking this worker. While a
 * receiver does not respond for up to 15 s, the worker reads less and less often.
 */
const LOOK_AGAIN_MAX_MS = 2000

/** Reserves the free memory before the read, because other workers read at the same time. */
async function select(worker: WorkerMemory, { ctx, now, buffered }: WorkerContext): Promise<DueDelivery[]> {
  const bytes = Math.max(1, Math.min(READ_BYTES, BUFFERED_BYTES - buffered.bytes))
  buffered.bytes += bytes
  const wanted = { limit: BATCH, bytes, without: [...worker.unfinished], now }
  const due = await selectDue(ctx.db, worker.queue, wanted).finally(() => {
    buffered.bytes -= bytes
  })
  const size = due.reduce((sum, one) => sum + one.size, 0)
  if (due.length === BATCH || size >= bytes) worker.mayHaveMore = true
  return due
}

async function read(worker: WorkerMemory, context: WorkerContext): Promise<void> {
  worker.mayHaveMore = false
  worker.readAt = performance.now()
  const due = await select(worker, context)
  worker.lookAgainMs = due.length > 0 ? LOOK_AGAIN_MS : Math.min(2 * worker.lookAgainMs, LOOK_AGAIN_MAX_MS)
  if (due[0] && due[0].version !== worker.version) await renew(worker, context)
  const expired = due.filter(({ giveUpInMs }) => giveUpInMs <= 0).map(({ event }) => event)
  if (expired.length > 0)
    await failExpired(context.ctx.db, worker.queue, { events: expired, now: context.now })
  const alive = due.filter(({ giveUpInMs }) => giveUpInMs > 0)
  add(worker, alive, context)
}

/** Whether the worker should read from the database again. */
export const isReadDue = ({ reading, mayHaveMore, readAt, lookAgainMs }: WorkerMemory): boolean =>
  reading !== undefined || mayHaveMore || performance.now() - readAt > lookAgainMs

/** Reads due deliveries. Only one read runs at a time. */
export function readDue(worker: WorkerMemory, context: WorkerContext): Promise<void> {
  worker.reading ??= read(worker, context).finally(() => {
    worker.reading = undefined
  })
  return worker.reading
}

const hasRoom = ({ due, bytes }: WorkerMemory, { buffered }: WorkerContext) =>
  due.length < AHEAD && bytes < READ_BYTES && buffered.bytes < BUFFERED_BYTES

/** Ignores errors: the state `reading` meets them again when nothing is left to send. */
export function readAhead(worker: WorkerMemory, context: WorkerContext): void {
  if (!hasRoom(worker, context) || !worker.mayHaveMore || worker.reading) return
  void readDue(worker, context).catch(() => {
    worker.mayHaveMore = true
  })
}
