// Calculates the next times of schedules again after a change of the time zone or the clock.
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import type { Db } from '../../db/pool.ts'
import { loadDefinitions } from '../engine/definitions.ts'
import { getOrganization } from '../store.ts'
import { lockScheduled, selectScheduling, setNextTimes } from './due-store.ts'
import { firstNextAt } from './schedule.ts'

type IsConcerned = (definition: WorkflowDefinition) => boolean

/** Leaves out workflows that are already due: they start for their old time. @returns how many were set */
async function setAgain(tx: Db, org: number, isConcerned: IsConcerned): Promise<number> {
  const waiting = (await lockScheduled(tx, org)).filter(({ isDue }) => !isDue)
  if (waiting.length === 0) return 0
  const { timeZone, now } = await getOrganization(tx, org)
  const definitionOf = await loadDefinitions(tx, waiting)
  const times = waiting.flatMap((one) => {
    const definition = definitionOf(one)
    if (!definition || !isConcerned(definition)) return []
    return [{ ...one, nextAt: firstNextAt(definition, timeZone, new Date(now)) }]
  })
  return setNextTimes(tx, times)
}

/**
 * Runs in the transaction that changes the time zone of the organization. Schedules without a time zone use the time
 * zone of their organization.
 */
export async function followTimeZone(tx: Db, org: number): Promise<void> {
  await setAgain(tx, org, ({ triggerConfig }) => triggerConfig?.timezone === undefined)
}

/** Runs after the clock was set back, because next times were calculated with the old clock. */
export async function moveSchedulesBack(tx: Db): Promise<number> {
  let moved = 0
  for (const org of await selectScheduling(tx)) moved += await setAgain(tx, org, () => true)
  return moved
}
