// Checks how the API reports changes to its clients: in the feed, and in the history of records.
import { isDeepStrictEqual } from 'node:util'
import type { Org } from '../factories.ts'
import { mirrorOf, readFeed as readMirrorFeed, readRecords } from '../mirror/mirror.ts'
import type { WrittenEvent } from './accounts.ts'

interface Listed {
  id: string
  version: number
}

async function readFeed(org: Org): Promise<Listed[]> {
  const events: Listed[] = []
  for (;;) {
    const after = events.at(-1)
    const { body } = await org.get<{ events: Listed[] }>(
      `/events?limit=100${after ? `&after=${after.id}` : ''}`,
    )
    events.push(...body.events)
    if (body.events.length === 0) return events
  }
}

const linesOf = (events: readonly Listed[]) =>
  events.map(({ id, version }) => `${id} version ${version ?? 'none'}`)

/** @param events all stored events, in the order of the feed @returns organizations whose feed differs */
export async function feedFaults(
  orgs: readonly Org[],
  events: readonly (WrittenEvent & { org: number })[],
): Promise<string[]> {
  const faults: string[] = []
  for (const org of orgs) {
    const expected = linesOf(events.filter((event) => event.org === org.org))
    const found = linesOf(await readFeed(org))
    const place = expected.findIndex((line, n) => line !== found[n])
    if (place >= 0 || found.length !== expected.length)
      faults.push(`the feed of ${org.id} differs at ${place}: ${found[place]}, not ${expected[place]}`)
  }
  return faults
}

/** @returns organizations whose records differ from a mirror of the feed */
export async function mirrorFaults(orgs: readonly Org[]): Promise<string[]> {
  const faults: string[] = []
  for (const org of orgs) {
    const records = await readRecords(org)
    const copies = mirrorOf(await readMirrorFeed(org))
    const place = records.findIndex((record, n) => !isDeepStrictEqual(record, copies[n]))
    if (place >= 0 || records.length !== copies.length)
      faults.push(`the mirror of ${org.id} differs: ${JSON.stringify([records[place], copies[place]])}`)
  }
  return faults
}

/** The number of entries on a page of the history. */
const SHOWN = 100
/** The number of records per organization to check: the ones with the most versions. */
const LOOKED_AT = 20

/**
 * Checks only whole records, because the history of others is in several parts.
 * @returns records whose history does not have every version, the last one first
 */
export async function historyFaults(
  orgs: readonly Org[],
  records: readonly { org: number; id: string; version: number; isWhole: boolean }[],
): Promise<string[]> {
  const faults: string[] = []
  for (const org of orgs) {
    const reader = await org.member('member')
    const own = records.filter((record) => record.org === org.org && record.isWhole)
    for (const { id, version } of own.toSorted((a, b) => b.version - a.version).slice(0, LOOKED_AT)) {
      const path = `/objects/companies/records/${id}/history?limit=${SHOWN}`
      const { body } = await reader.get<{ entries: Listed[] }>(path)
      const found = body.entries.map((entry) => entry.version)
      const expected = Array.from({ length: Math.min(version, SHOWN) }, (_, n) => version - n)
      if (found.join() !== expected.join()) faults.push(`the history of ${id}: ${found.join()}`)
    }
  }
  return faults
}
