// Schedules without a time zone of their own go by that of their organization, also when it gets another.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { loadDefinitions } from '../engine/definitions.ts'
import { getOrganization } from '../store.ts'
import { setNextTimes } from './due-store.ts'
import { firstNextAt } from './schedule.ts'

interface Scheduled {
  org: number
  workflow: string
  version: number
  isDue: boolean
}

/** One that is just being started is waited for. */
const lockScheduled = (tx: Db, org: number): Promise<Scheduled[]> =>
  tx.many<Scheduled>(sql`
    select w.org, w.id as workflow, w.version, w.next_at <= now() as "isDue" from workflows w
    where w.org = ${org} and w.next_at < 'infinity' and w.is_enabled and w.trigger = 'schedule'
    order by w.id for no key update`)

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
