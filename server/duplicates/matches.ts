// Which records match given values by the active rules of their object.
import { DUPLICATE_MATCHES_MAX } from '../../contract/duplicates.ts'
import type { ObjectModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { type Candidate, findCandidates } from './candidates.ts'
import { comparedByAll, type RecordValues, reasonsOf } from './compared.ts'
import type { Rule } from './rules.ts'

export interface Match {
  id: string
  /** Ids of rules. */
  reasons: string[]
}

/** Those with the most reasons first, and of them the oldest. */
const byReasons = (a: Match, b: Match) => b.reasons.length - a.reasons.length || (a.id < b.id ? -1 : 1)

/** @returns for each of the inputs the records that match it, at most DUPLICATE_MATCHES_MAX */
export async function findMatches(
  db: Db,
  model: ObjectModel,
  rules: readonly Rule[],
  inputs: readonly RecordValues[],
): Promise<Match[][]> {
  if (rules.length === 0) return inputs.map(() => [])
  const asked = inputs.map((values) => ({ values, compared: comparedByAll(rules, values) }))
  const found = await findCandidates(db, model, rules, asked)
  const candidates = found.map((one: Candidate) => ({ id: one.id, compared: comparedByAll(rules, one) }))
  return asked.map(({ compared }) =>
    candidates
      .map(({ id, compared: other }) => ({ id, reasons: reasonsOf(rules, compared, other) }))
      .filter(({ reasons }) => reasons.length > 0)
      .sort(byReasons)
      .slice(0, DUPLICATE_MATCHES_MAX),
  )
}
