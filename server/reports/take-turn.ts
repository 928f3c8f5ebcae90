// Report runs of requests with an Idempotency-Key.
import type { BeforeTransaction } from '../http/request.ts'
import { withReportSnapshot } from './execution.ts'

/** The report waits for its snapshot before the transaction of the request holds a connection. */
export const takeTurn: BeforeTransaction = (request, work) => {
  // The context from before the transaction: after a failure on a replica, `work` runs again in a new transaction.
  const { ctx, caller } = request
  return withReportSnapshot(ctx, caller, (snapshot) => {
    request.ctx = { ...ctx, reports: { ...ctx.reports, snapshot } }
    return work()
  })
}
