// A filter of one condition or of several → the ids that index rows give for it. Pure.
import sql, { join, type Sql } from 'sql-template-tag'
import type { ObjectIndex } from '../../attributes/object-index.ts'
import type { RecordFilter } from '../filters.ts'
import type { Owner } from './counting.ts'
import { exactIds, type Probe, probeOf } from './probes.ts'

/** Where all of several must hold, what one of them finds has the others' as well. */
function ofAll(owner: Owner, index: ObjectIndex, parts: readonly RecordFilter[]): Probe | undefined {
  const probes = parts.flatMap((part) => probeFor(owner, index, part) ?? [])
  const probe = probes.find(({ isOrdered }) => isOrdered) ?? probes[0]
  return probe && { ...probe, isExact: false, sure: undefined }
}

/** Any of several is found only if each has index rows. */
function ofAny(owner: Owner, index: ObjectIndex, members: readonly RecordFilter[]): Probe | undefined {
  const probes = members.flatMap((member) => probeFor(owner, index, member) ?? [])
  if (probes.length < members.length) return undefined
  const union = (queries: readonly Sql[]) =>
    join(
      queries.map((ids) => sql`(${ids})`),
      ' union ',
    )
  const sure = probes.flatMap((probe) => exactIds(probe) ?? [])
  return {
    ids: union(probes.map(({ ids }) => ids)),
    loose: join(
      probes.map(({ ids, loose = ids }) => sql`(${loose})`),
      ' union all ',
    ),
    isExact: probes.every(({ isExact }) => isExact),
    sure: sure.length === probes.length ? union(sure) : undefined,
    isOrdered: false,
    isSearch: probes.some(({ isSearch }) => isSearch),
  }
}

/** As probeOf, for any filter. @returns undefined when index rows do not help, or are not complete */
export function probeFor(owner: Owner, index: ObjectIndex, filter: RecordFilter): Probe | undefined {
  if (filter.leaf) return probeOf(owner, index, filter.leaf)
  if (filter.any) return ofAny(owner, index, filter.any)
  return filter.parts && ofAll(owner, index, filter.parts)
}
