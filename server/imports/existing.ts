// Finds rows that match a record from before the import: by a unique value, else by the duplicate rules of the object.
// By the choice of the user, such rows update the record, are left out, or create another one.
import sql from 'sql-template-tag'
import { isUuid } from '../../contract/common.ts'
import type { Problem } from '../../contract/errors.ts'
import type { DuplicateChoice } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { findMatches } from '../duplicates/matches.ts'
import type { Rule } from '../duplicates/rules.ts'
import { activeRules } from '../duplicates/service.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import type { Column } from '../records/import/columns.ts'
import { selectNames } from '../records/names/store.ts'
import { checkData } from '../records/validation/values.ts'
import type { Locale } from '../records/values/attribute.ts'
import { draftOf } from '../records/write/drafts.ts'
import { selectExisting } from '../records/write/existing-store.ts'
import { withLookups } from '../records/write/sent-values.ts'
import { holdersOf, type RecordDraft, type UniqueValue, uniqueKey } from '../records/write/store.ts'
import type { ImportContext } from './context.ts'
import { resolveReferences } from './references.ts'

type Data = Record<string, unknown>

export interface Choosing {
  ctx: ImportContext
  caller: Caller
  model: ObjectModel
  columns: readonly Column[]
  choice: DuplicateChoice
  /** The unique attribute that rows are matched on first. */
  matched: ModelAttribute | undefined
  /** Id of the last record from before the import; undefined if there was none. */
  until: string | undefined
  /** Looks up values that refer to records; without it, such values must be ids. */
  localeOf?: (data: readonly Data[]) => Promise<Locale>
}

export interface ChoosingRow {
  id?: string
  data: Data
  needed: readonly Problem[]
  isBad: boolean
}

export interface Chosen<Row> {
  /** Rows to write: those that update a record have its id. */
  rows: Row[]
  skipped: { row: Row; recordId: string }[]
  /** Number of rows that match exactly one record; with the choice `create`, one or more. */
  matches: number
}

/** The highest record id of an object: records that exist when an import begins have no higher id. */
export const lastRecordId = (
  db: Db,
  { org, objectId }: { org: number; objectId: string },
): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select r.id from objects o join records r on r.org = o.org and r.obj = o.obj
    where o.org = ${org} and o.id = ${objectId} order by r.id desc limit 1`)

/** Slugs of the company attributes that the rules compare. */
const companiesOf = (rules: readonly Rule[]): ReadonlySet<string> =>
  new Set(rules.flatMap(({ company }) => company?.slug ?? []))

/** The data of the rows, with ids instead of company names. A name that no record has becomes an unused id. */
async function withCompanies<Row extends ChoosingRow>(
  { ctx, caller, columns }: Choosing,
  rules: readonly Rule[],
  rows: readonly Row[],
): Promise<Data[]> {
  const slugs = companiesOf(rules)
  const own = columns.filter(({ attribute }) => slugs.has(attribute.slug))
  const looked = own.map(({ attribute }) => ({ attribute }))
  const resolved = await resolveReferences(ctx, caller, { columns: looked }, rows)
  return resolved.map(({ data }, place) => {
    const unknown = [...slugs].filter((slug) => rows[place]?.data[slug] != null && !(slug in data))
    return { ...data, ...Object.fromEntries(unknown.map((slug) => [slug, newId()])) }
  })
}

/** Leaves out references that are not in `kept`: they may name records that do not exist yet. */
const withoutReferences = ({ model }: Choosing, data: Data, kept: ReadonlySet<string>): Data =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([slug]) => kept.has(slug) || model.attributes.get(slug)?.type !== 'reference',
    ),
  )

/** What each row would write; undefined for a row that fails because of an invalid value. */
async function draftsOf(
  choosing: Choosing,
  rules: readonly Rule[],
  rows: readonly ChoosingRow[],
): Promise<(RecordDraft | undefined)[]> {
  const { ctx, caller, model } = choosing
  const kept = companiesOf(rules)
  const all = (await withCompanies(choosing, rules, rows)).map((data) =>
    withoutReferences(choosing, data, kept),
  )
  const { localeOf = (data) => withLookups(ctx.db, caller, model, data) } = choosing
  const locale = await localeOf(all)
  return all.map((data, place) => {
    const checked = checkData('patch', data, model.attributes, locale)
    return rows[place]?.isBad || 'problems' in checked ? undefined : draftOf(model, '', checked)
  })
}

/** The records with the unique values of each draft. If one has the value that rows are matched on, only this one. */
async function byUnique(
  { ctx, model, matched, until = '' }: Choosing,
  drafts: readonly (RecordDraft | undefined)[],
): Promise<string[][]> {
  const values = drafts.flatMap((draft) => draft?.uniques ?? [])
  const holders = values.length === 0 ? new Map<string, string>() : await holdersOf(ctx.db, model.org, values)
  const holding = (uniques: readonly UniqueValue[]) => {
    const ids = uniques.flatMap((value) => holders.get(uniqueKey(value)) ?? [])
    return [...new Set(ids.filter((id) => id <= until))]
  }
  return drafts.map((draft) => {
    const uniques = draft?.uniques ?? []
    const first = holding(uniques.filter(({ attr }) => attr === matched?.attr))
    return first.length > 0 ? first : holding(uniques)
  })
}

const valuesOf = ({ data, comparable }: RecordDraft) => ({
  data: JSON.parse(data) as Data,
  comparable: comparable === null ? null : (JSON.parse(comparable) as Data),
})

interface RowMatches {
  ids: string[]
  /** Names of the rules that found the records; empty if only unique values did. */
  by: string[]
}

/** Records that each row matches. */
async function matchesOf(choosing: Choosing, rows: readonly ChoosingRow[]): Promise<RowMatches[]> {
  const { ctx, model, until } = choosing
  if (until === undefined) return rows.map(() => ({ ids: [], by: [] }))
  const rules = await activeRules(ctx.db, model)
  const drafts = await draftsOf(choosing, rules, rows)
  const unique = await byUnique(choosing, drafts)
  const open = [...drafts.entries()].flatMap(([place, draft]) =>
    draft && unique[place]?.length === 0 ? [{ place, values: valuesOf(draft) }] : [],
  )
  const found = await findMatches(
    ctx.db,
    { model, until },
    rules,
    open.map(({ values }) => values),
  )
  const byRule = new Map(open.map(({ place }, at) => [place, found[at] ?? []]))
  const nameOf = new Map(rules.map(({ id, name }) => [id, name]))
  return rows.map((_, place) => {
    const matches = byRule.get(place) ?? []
    const reasons = new Set(matches.flatMap((one) => one.reasons))
    return {
      ids: [...(unique[place] ?? []), ...matches.map(({ id }) => id)],
      by: [...reasons].map((id) => nameOf.get(id) ?? id),
    }
  })
}

const SHOWN = 3

/** The problem of a row that matches several records. */
async function severalProblem({ ctx, model }: Choosing, { ids, by }: RowMatches): Promise<Problem> {
  const names = new Map((await selectNames(ctx.db, model, ids)).map(({ recordId, name }) => [recordId, name]))
  const shown = ids.slice(0, SHOWN).map((id) => `${names.get(id) ?? ''} (${id})`)
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  const how = by.length === 0 ? 'by unique values' : `by ${by.join(', ')}`
  return {
    path: 'data',
    code: 'several_matches',
    message: `the row matches several records ${how}, ${shown.join(', ')}${more}: merge them first, or give the row the ID of one`,
  }
}

/** Those ids in the rows that belong to existing records. */
async function existingIds({ ctx, model }: Choosing, rows: readonly ChoosingRow[]) {
  const ids = rows.flatMap(({ id }) => id?.toLowerCase() ?? [])
  return selectExisting(ctx.db, model, ids.filter(isUuid))
}

/** Decides for each row whether it is written or skipped, before the records that it names are created. */
export async function chooseRows<Row extends ChoosingRow>(
  choosing: Choosing,
  given: readonly Row[],
): Promise<Chosen<Row>> {
  const { choice } = choosing
  const existing = await existingIds(choosing, given)
  const unnamed = given.filter(({ id }) => id === undefined)
  const matches = await matchesOf(choosing, unnamed)
  const found = new Map(unnamed.map((row, place) => [row, matches[place] ?? { ids: [], by: [] }]))
  const chosen: Chosen<Row> = { rows: [], skipped: [], matches: 0 }
  for (const row of given) {
    const own = row.id !== undefined && existing.has(row.id.toLowerCase()) ? [row.id.toLowerCase()] : []
    const match = found.get(row) ?? { ids: own, by: [] }
    const [id, another] = match.ids
    if (id === undefined || choice === 'create') chosen.rows.push(row)
    else if (another !== undefined)
      chosen.rows.push({
        ...row,
        needed: [...row.needed, await severalProblem(choosing, match)],
        isBad: true,
      })
    else if (choice === 'skip') chosen.skipped.push({ row, recordId: id })
    else chosen.rows.push({ ...row, id })
    if (id !== undefined && (another === undefined || choice === 'create')) chosen.matches++
  }
  return chosen
}
