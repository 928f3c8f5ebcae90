// Schedules without a time zone of their own go by that of their organization, also when it gets another.
import type { Db } from '../../db/pool.ts'
import { loadDefinitions } from '../engine/definitions.ts'
import { getOrganization } from '../store.ts'
import { lockScheduled, setNextTimes } from './due-store.ts'
import { firstNextAt } from './schedule.ts'

/** In the transaction that gave the organization another time zone. What is due is started for the time it was due at. */
export async function followTimeZone(tx: Db, org: number): Promise<void> {
  const waiting = (await lockScheduled(tx, org)).filter(({ isDue }) => !isDue)
  if (waiting.length === 0) return
  const { timeZone, now } = await getOrganization(tx, org)
  const definitionOf = await loadDefinitions(tx, waiting)
  const following = waiting.flatMap((one) => {
    const definition = definitionOf(one)
    if (!definition || definition.triggerConfig?.timezone !== undefined) return []
    return [{ ...one, nextAt: firstNextAt(definition, timeZone, new Date(now)) }]
  })
  await setNextTimes(tx, following)
}
