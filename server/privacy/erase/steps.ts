// The steps of an erasure in order. privacy_requests.step is an index into this list.
import { activities } from './activities.ts'
import { answers } from './answers.ts'
import { counters } from './counters.ts'
import { reportDefinitions, trashedViews, viewsOfDeleted, workflowVersions } from './definitions.ts'
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

/** The result of `before` is passed only to the same step. */
const step = <Found>(one: ErasureStep<Found>) => one as ErasureStep<unknown>

/**
 * A change of this list shifts running erasures. Repeating a step does no harm, but skipping one does: so add new steps
 * at the beginning or at the end.
 */
export const ERASURE_STEPS: readonly ErasureStep<unknown>[] = [
  // Before the records, because an import would make the person again.
  step(runningImports),
  step(recordJobs),
  step(imports),
  // Before the records, while links still refer to them.
  step(activities),
  step(records),
  step(trash),
  step(kept),
  step(events),
  // After this, no transaction passes on the earlier values of events.
  step(olderTransactions),
  step(runs),
  // Events of the runs.
  step(events),
  step(deliveries),
  step(inFlight),
  step(deliveries),
  // Files that were uploaded since the first search.
  step(imports),
  step(recordJobs),
  step(reportRuns),
  step(answers),
  step(messages),
  step(notifications),
  step(files),
  step(counters),
  step(reportDefinitions),
  step(workflowVersions),
  step(trashedViews),
  step(viewsOfDeleted),
]
