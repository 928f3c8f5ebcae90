// Reads pasted cells as an import reads the cells of a file, and returns the problems of cells that cannot be written.
// Nothing is locked: the later write detects changes that other people make in between.

import { isUuid } from '../../contract/common.ts'
import type { CheckedRow, PastedCells } from '../../contract/pasted-cells.ts'
import { singleLine, trimmed } from '../../contract/single-line.ts'
import type { Caller } from '../base/caller.ts'
import { invalidField } from '../base/errors.ts'
import { unknownAttribute } from '../base/suggestions.ts'
import { toldNames } from '../base/told-names.ts'
import type { Db } from '../db/pool.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import { rowData } from '../records/import/cells.ts'
import type { Column } from '../records/import/columns.ts'
import { requireActive } from '../records/read/record-of.ts'
import { selectMembersByName } from '../records/validation/member-values.ts'
import { checkData } from '../records/validation/values.ts'
import { withLookups } from '../records/write/sent-values.ts'
import { PLAIN_FORMAT } from './content.ts'
import type { ImportContext } from './context.ts'
import { withCurrentModel } from './current-model.ts'
import { plainCell } from './local-format.ts'
import { type PastedRow, refuseCell, refuseMissing, refuseTaken } from './pasted-conflicts.ts'
import { resolveReferences } from './references.ts'

/** @throws 400 validation_error */
function columnsOf(model: ObjectModel, caller: Caller, slugs: readonly string[]): Column[] {
  return slugs.map((slug, index) => {
    const attribute = model.attributes.get(slug)
    const path = `columns[${index}]`
    if (!attribute)
      throw invalidField(
        path,
        'unknown_attribute',
        unknownAttribute(model.slug, slug, toldNames(caller, 'attributes', model.attributes.keys())),
      )
    if (slugs.indexOf(slug) < index)
      throw invalidField(
        path,
        'duplicate',
        `must differ from the other columns: ${slug} is sent twice, send it once`,
      )
    return { index, header: slug, attribute, part: undefined }
  })
}

/** @throws 400 validation_error */
function readRows(columns: readonly Column[], rows: PastedCells['rows']): PastedRow[] {
  return rows.map(({ id, cells }, index) => {
    if (cells.length !== columns.length) {
      const message = `must have ${columns.length} cells, one for each column, and has ${cells.length}`
      throw invalidField(`rows[${index}].cells`, 'invalid_length', message)
    }
    const plain = columns.map((column, at) => plainCell(cells[at] ?? '', column, PLAIN_FORMAT))
    // Only an existing record has a value that an empty cell can clear.
    const data = rowData(columns, plain, id === undefined ? 'keep' : 'clear')
    return { id: id?.toLowerCase(), data, problems: [] }
  })
}

/** Names of records become ids, or problems of their cells. */
async function resolveRecords(
  ctx: ImportContext,
  caller: Caller,
  columns: readonly Column[],
  rows: readonly PastedRow[],
): Promise<void> {
  for (const column of columns.filter(({ attribute }) => attribute.type === 'reference')) {
    const { slug } = column.attribute
    const values = rows.map(({ data }) => ({ data }))
    const resolved = await resolveReferences(ctx, caller, { columns: [column] }, values)
    for (const [at, found] of resolved.entries()) {
      const row = rows[at]
      if (!row) continue
      const [problem] = found.problems
      if (problem) refuseCell(row, slug, problem)
      else row.data = found.data
    }
  }
}

const isName = (text: unknown): text is string =>
  typeof text === 'string' && !isUuid(trimmed(text)) && !text.includes('@')

const key = (name: string) => singleLine(name).toLowerCase()

/** The id of the member with this name; the text itself if it is not the name of exactly one member. */
function memberNamed(value: unknown, ids: ReadonlyMap<string, readonly string[]>): unknown {
  if (Array.isArray(value)) return value.map((one) => memberNamed(one, ids))
  const found = isName(value) ? (ids.get(key(value)) ?? []) : []
  return found.length === 1 ? found[0] : value
}

/** Names of members become user ids; emails and ids are left to the check of values. */
async function resolveMembers(
  { db }: { db: Db },
  caller: Caller,
  attributes: readonly ModelAttribute[],
  rows: readonly PastedRow[],
): Promise<void> {
  const slugs = attributes.filter(({ type }) => type === 'member').map(({ slug }) => slug)
  const names = new Set(
    rows.flatMap(({ data }) => slugs.flatMap((slug) => [data[slug]].flat().filter(isName).map(key))),
  )
  if (names.size === 0) return
  const members = await selectMembersByName(db, caller.orgId, [...names])
  const ids = new Map(
    [...Map.groupBy(members, ({ name }) => name)].map(([name, ones]) => [name, ones.map(({ id }) => id)]),
  )
  for (const { data } of rows)
    for (const slug of slugs) if (slug in data) data[slug] = memberNamed(data[slug], ids)
}

const SLUG = /^data\.([a-z][a-z0-9_]*)/

/** Moves the values that break the rules of their types from `data` to `problems`. */
function checkValues(model: ObjectModel, locale: Parameters<typeof checkData>[3], row: PastedRow): void {
  const checked = checkData(row.id === undefined ? 'create' : 'patch', row.data, model.attributes, locale)
  if (!('problems' in checked)) return
  for (const { path, code, message } of checked.problems) {
    const slug = SLUG.exec(path)?.[1] ?? null
    if (slug !== null) delete row.data[slug]
    const isKnown = row.problems.some((one) => one.attributeSlug === slug)
    if (!isKnown) row.problems.push({ attributeSlug: slug, code, message })
  }
}

/** Whether a required value of a new record is invalid, or the record is too large: then no cell can be left out. */
const isRefused = ({ id, problems }: PastedRow, { attributes }: ObjectModel) =>
  problems.some(
    ({ attributeSlug }) =>
      attributeSlug === null || (id === undefined && attributes.get(attributeSlug)?.isRequired === true),
  )

function checkedRow(model: ObjectModel, locale: Parameters<typeof checkData>[3], row: PastedRow): CheckedRow {
  const { data, problems } = row
  const refused = isRefused(row, model)
  const checked = refused ? undefined : checkData('patch', data, model.attributes, locale)
  if (!checked || 'problems' in checked) return { data: {}, problems, isRefused: refused }
  const cleared = Object.fromEntries(checked.cleared.map((slug) => [slug, null]))
  // An amount without a currency keeps the currency of the record.
  return { data: { ...checked.set, ...checked.bareAmounts, ...cleared }, problems, isRefused: false }
}

/** @throws 400 validation_error, 404 not_found, 409 object_inactive */
export function checkPastedCells(
  ctx: ImportContext,
  caller: Caller,
  objectRef: string,
  { columns: slugs, rows: sent }: PastedCells,
): Promise<CheckedRow[]> {
  return withCurrentModel(ctx, caller.org, objectRef, async (model) => {
    requireActive(model)
    const columns = columnsOf(model, caller, slugs)
    const rows = readRows(columns, sent)
    await resolveRecords(ctx, caller, columns, rows)
    await resolveMembers(
      ctx,
      caller,
      columns.map(({ attribute }) => attribute),
      rows,
    )
    const locale = await withLookups(
      ctx.db,
      caller,
      model,
      rows.map(({ data }) => data),
    )
    for (const row of rows) checkValues(model, locale, row)
    await refuseMissing(ctx.db, model, locale, rows)
    await refuseTaken(ctx.db, model, locale, rows)
    return rows.map((row) => checkedRow(model, locale, row))
  })
}
