// How workflows fare.
import type { WorkflowOverview } from '../../contract/workflow-dashboard.ts'
import type { BaseContext } from '../base-context.ts'
import { lowestIdAt } from '../id.ts'
import { selectOverview } from './overview-store.ts'

const WEEK_MS = 7 * 86_400_000

/** Oldest workflow first. */
export function readOverview(
  { db, clock }: Pick<BaseContext, 'db' | 'clock'>,
  org: number,
): Promise<WorkflowOverview> {
  return selectOverview(db, org, lowestIdAt(new Date(clock.now().getTime() - WEEK_MS)))
}
