// Verifies the groups of the finder: compares their records again by the current values.
import sql from 'sql-template-tag'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { comparedColumns, type DuplicateCandidate } from '../candidates.ts'
import { type Compared, comparedByAll, reasonsOf } from '../compared.ts'
import type { Rule } from '../rules.ts'
import type { FoundGroup } from '../store.ts'
import { createTurns, type Turns } from './turns.ts'
import { Unions } from './unions.ts'

interface Member {
  id: string
  compared: readonly Compared[]
}

interface Verification {
  rules: readonly Rule[]
  /** Pairs of ids. */
  dismissed: ReadonlySet<string>
  turns: Turns
}

const pairOf = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** All pairs of the dismissed groups. */
export function pairsIn(groups: readonly (readonly string[])[]): Set<string> {
  const pairs = new Set<string>()
  for (const ids of groups)
    for (const [place, a] of ids.entries()) for (const b of ids.slice(place + 1)) pairs.add(pairOf(a, b))
  return pairs
}

/** Groups of two or more members that are connected by matches, each with the rules of these matches. */
async function connected(
  { rules, dismissed, turns }: Verification,
  members: readonly Member[],
): Promise<Pick<FoundGroup, 'records' | 'rules'>[]> {
  const unions = new Unions()
  const edges: { place: number; reasons: string[] }[] = []
  for (const [i, a] of members.entries()) {
    unions.add()
    for (const [j, b] of members.slice(0, i).entries()) {
      await turns.pass()
      const reasons = dismissed.has(pairOf(a.id, b.id)) ? [] : reasonsOf(rules, a.compared, b.compared)
      if (reasons.length === 0) continue
      unions.join(i, j)
      edges.push({ place: i, reasons })
    }
  }
  return (await unions.groups(turns)).map((places) => {
    const reasons = new Set(
      edges.filter(({ place }) => places.includes(place)).flatMap((edge) => edge.reasons),
    )
    return {
      records: places.flatMap((place) => members[place]?.id ?? []),
      rules: rules.flatMap(({ id }) => (reasons.has(id) ? [id] : [])),
    }
  })
}

const readCandidates = (db: Db, model: ObjectModel, rules: readonly Rule[], ids: readonly string[]) =>
  db.many<DuplicateCandidate>(sql`
    select r.id, ${comparedColumns(rules)} from ${recordsByIds(model, sql`${ids}::uuid[]`)}`)

/**
 * Yields to other work.
 * @param found groups of ids
 * @param dismissed pairs of ids
 * @throws when `signal` aborts
 */
export async function verifyGroups(
  db: Db,
  { model, rules, signal }: { model: ObjectModel; rules: readonly Rule[]; signal: AbortSignal },
  found: readonly (readonly string[])[],
  dismissed: ReadonlySet<string>,
): Promise<FoundGroup[]> {
  const rows = await readCandidates(db, model, rules, found.flat())
  const byId = new Map(rows.map((row) => [row.id, { id: row.id, compared: comparedByAll(rules, row) }]))
  const verification = { rules, dismissed, turns: createTurns(signal) }
  const groups: FoundGroup[] = []
  for (const ids of found) {
    const members = ids.flatMap((id) => byId.get(id) ?? [])
    for (const group of await connected(verification, members)) groups.push({ id: newId(), ...group })
  }
  return groups
}
