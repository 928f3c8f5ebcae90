// Reports that are run by requests with an Idempotency-Key.
import type { BeforeTransaction } from '../http/request.ts'
import { withReportSnapshot } from './execution.ts'

/** A report under an Idempotency-Key waits for its snapshot before its transaction holds a connection. */
export const takeTurn: BeforeTransaction = (request, work) => {
  // Of before any transaction: a report that a replica fails begins a second one.
  const { ctx, caller } = request
  return withReportSnapshot(ctx, caller, (snapshot) => {
    request.ctx = { ...ctx, reports: { ...ctx.reports, snapshot } }
    return work()
  })
}
