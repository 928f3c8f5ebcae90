// The first steps of a new user, without those that are done.

import type { CrmObject } from '../../../shared/api/objects.ts'
import type { Home } from '../api.ts'

export type NextStep =
  | { kind: 'import'; object: CrmObject }
  | { kind: 'create'; object: CrmObject }
  | { kind: 'invite' }

interface Situation {
  objects: readonly CrmObject[]
  counts: Home['counts']
  /** undefined while it is loading. */
  members: number | undefined
  /** Only admins and owners invite. */
  mayInvite: boolean
}

/** Preferred objects: users often have a list of companies to import, then create deals and people. */
const IMPORTED = ['companies', 'people']
const CREATED = ['deals', 'people', 'companies']

const firstOf = (objects: readonly CrmObject[], slugs: readonly string[]): CrmObject | undefined =>
  slugs.flatMap((slug) => objects.find((object) => object.slug === slug) ?? [])[0] ?? objects[0]

export function nextSteps({ objects, counts, members, mayInvite }: Situation): NextStep[] {
  const active = objects.filter(({ isActive }) => isActive)
  const isEmpty = ({ id }: CrmObject) => counts.find(({ objectId }) => objectId === id)?.total === 0
  const imported = firstOf(active, IMPORTED)
  const created = firstOf(
    active.filter((object) => object !== imported),
    CREATED,
  )
  return [
    ...(imported && isEmpty(imported) ? [{ kind: 'import' as const, object: imported }] : []),
    ...(created && isEmpty(created) ? [{ kind: 'create' as const, object: created }] : []),
    ...(mayInvite && members === 1 ? [{ kind: 'invite' as const }] : []),
  ]
}

/** Whether the organization has no data yet. */
export const isNew = ({ counts, recentRecords, upcoming, activitiesByDay }: Home): boolean =>
  recentRecords.length === 0 &&
  upcoming.length === 0 &&
  counts.every(({ total }) => total === 0) &&
  activitiesByDay.every(({ count }) => count === 0)
