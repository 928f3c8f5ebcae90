// Problems of pasted cells that only the database shows: references to missing records, and unique values that another
// record has.
import type { Problem } from '../../contract/errors.ts'
import type { CellProblem } from '../../contract/pasted-cells.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { checkData } from '../records/validation/values.ts'
import type { Locale } from '../records/values/attribute.ts'
import { selectTargets } from '../records/write/existing-store.ts'
import { holdersOf, targetKey, uniqueKey } from '../records/write/store.ts'

/** A row during its check: invalid values move from `data` to `problems`. */
export interface PastedRow {
  id: string | undefined
  data: Record<string, unknown>
  problems: CellProblem[]
}

export function refuseCell(
  { data, problems }: PastedRow,
  slug: string,
  problem: Omit<Problem, 'path'>,
): void {
  delete data[slug]
  problems.push({ attributeSlug: slug, code: problem.code, message: problem.message })
}

/** What the values of a row refer to and claim; nothing for a row that cannot be written. */
function checkedOf(model: ObjectModel, locale: Locale, { data }: PastedRow) {
  const checked = checkData('patch', data, model.attributes, locale)
  return 'problems' in checked ? { references: [], uniques: [] } : checked
}

const MISSING_RECORD = {
  code: 'invalid_reference',
  message: 'must be the id of a record of the object that is referred to',
}

export async function refuseMissing(
  db: Db,
  model: ObjectModel,
  locale: Locale,
  rows: readonly PastedRow[],
): Promise<void> {
  const links = rows.flatMap((row) =>
    checkedOf(model, locale, row).references.map(({ slug, target }) => ({
      row,
      slug,
      target,
      targetObj: model.attributes.get(slug)?.targetObj ?? 0,
    })),
  )
  if (links.length === 0) return
  const found = new Set((await selectTargets(db, model.org, links)).map(targetKey))
  for (const link of links)
    if (!found.has(targetKey(link)) && link.slug in link.row.data)
      refuseCell(link.row, link.slug, MISSING_RECORD)
}

interface Claim {
  row: PastedRow
  slug: string
  attr: number
  value: string
}

const TAKEN = { code: 'unique_violation', message: 'is taken by another record: choose another value' }
const TWICE = {
  code: 'unique_violation',
  message: 'is the same in another row that is pasted: change one of them',
}

function claimsOf(model: ObjectModel, locale: Locale, rows: readonly PastedRow[]): Claim[] {
  return rows.flatMap((row) =>
    checkedOf(model, locale, row).uniques.map(({ slug, value }) => ({
      row,
      slug,
      attr: model.attributes.get(slug)?.attr ?? 0,
      value,
    })),
  )
}

/** A value is free if the same paste gives its record another value. */
export async function refuseTaken(
  db: Db,
  model: ObjectModel,
  locale: Locale,
  rows: readonly PastedRow[],
): Promise<void> {
  const claims = claimsOf(model, locale, rows)
  if (claims.length === 0) return
  const holders = await holdersOf(db, model.org, claims)
  const changing = new Map(rows.map((row) => [row.id, row]))
  const claimed = new Set<string>()
  for (const claim of claims) {
    const { row, slug } = claim
    const holder = holders.get(uniqueKey(claim))
    const isFreed = holder !== undefined && slug in (changing.get(holder)?.data ?? {})
    if (!(slug in row.data)) continue
    if (claimed.has(uniqueKey(claim))) refuseCell(row, slug, TWICE)
    else if (holder !== undefined && holder !== row.id && !isFreed) refuseCell(row, slug, TAKEN)
    else claimed.add(uniqueKey(claim))
  }
}
