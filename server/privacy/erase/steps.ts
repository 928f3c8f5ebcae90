// The steps of an erasure, in their order: a number in privacy_requests.step counts them.
import { activities } from './activities.ts'
import { answers } from './answers.ts'
import { counters } from './counters.ts'
import { deliveries, inFlight } from './deliveries.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { imports, runningImports } from './imports.ts'
import { messages } from './messages.ts'
import { notifications } from './notifications.ts'
import { olderTransactions } from './older-transactions.ts'
import { recordJobs } from './record-jobs.ts'
import { kept, records, trash } from './records.ts'
import { reportRuns } from './report-runs.ts'
import { runs } from './runs.ts'
import type { ErasureStep } from './step.ts'

/** What a step reads before its transaction is passed only to that step. */
const step = <Found>(one: ErasureStep<Found>) => one as ErasureStep<unknown>

/**
 * A change of this list moves erasures that run. To repeat a step does no harm and to leave one out does, so add at the
 * beginning, or at the end.
 */
export const ERASURE_STEPS: readonly ErasureStep<unknown>[] = [
  // Before the records: an import would make the person again.
  step(runningImports),
  step(recordJobs),
  step(imports),
  // Before the records, while links name them.
  step(activities),
  step(records),
  step(trash),
  step(kept),
  step(events),
  // No one passes on what the events were.
  step(olderTransactions),
  step(runs),
  // Of the runs.
  step(events),
  step(deliveries),
  step(inFlight),
  step(deliveries),
  // What was uploaded since.
  step(imports),
  step(recordJobs),
  step(reportRuns),
  step(answers),
  step(messages),
  step(notifications),
  step(files),
  step(counters),
]
