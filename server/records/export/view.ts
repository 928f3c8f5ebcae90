// Exports a view of records as a table: chosen columns, filters and order, with names instead of ids.

import sql, { join } from 'sql-template-tag'
import { ID_TYPES, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { toCsv } from '../../../contract/csv-text.ts'
import type { ExportBody } from '../../../contract/exports.ts'
import { shortId } from '../../../contract/record-name.ts'
import type { Caller } from '../../base/caller.ts'
import { invalidField } from '../../base/errors.ts'
import { idTime } from '../../base/id.ts'
import { type JsonValue, parseJson } from '../../base/json.ts'
import { unknownAttribute } from '../../base/suggestions.ts'
import { toldNames } from '../../base/told-names.ts'
import type { Db } from '../../db/pool.ts'
import { readAtReplica } from '../../db/replicas/replica-reads.ts'
import { isStorable, NOT_STORABLE } from '../../http/storable.ts'
import {
  createModels,
  type ModelAttribute,
  type ModelContext,
  type Models,
  type ObjectModel,
} from '../../model/attributes/models.ts'
import { recordStreams } from '../engine/record-streams.ts'
import { readSearchFilters } from '../filters/input.ts'
import { compileFilter, conditionsOf, type RecordFilter } from '../filters/to-sql.ts'
import { selectNames } from '../names/store.ts'
import { searchSort } from '../rows/sorting.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { selectUsers } from '../validation/member-values.ts'
import { columnsOf } from './cells.ts'
import type { RecordExportContext } from './context.ts'
import { ResumedText } from './resumed-text.ts'
import { readStreams, takeAnyIdleTime } from './store.ts'

type Values = Record<string, JsonValue>
type Row = Pick<StoredRecord, 'id' | 'micros'> & { values: Values }

interface ViewColumn {
  header: string
  cellOf: (row: Row) => string
}

const isoTime = (ms: number) => new Date(ms).toISOString()

const OWN: Readonly<Record<string, ViewColumn>> = {
  id: { header: 'id', cellOf: ({ id }) => id },
  created_at: { header: 'createdAt', cellOf: ({ id }) => isoTime(idTime(id)) },
  updated_at: { header: 'updatedAt', cellOf: ({ micros }) => isoTime(Math.floor(micros / 1000)) },
}

const PART_LABELS: Readonly<Record<string, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  line1: 'Line 1',
  line2: 'Line 2',
  city: 'City',
  state: 'State',
  postalCode: 'Postal code',
  country: 'Country',
  amount: 'Amount',
  currency: 'Currency',
}

const viewColumns = (attribute: ModelAttribute, label: string): ViewColumn[] =>
  columnsOf(attribute).map(({ header, part, cellOf }) => ({
    header: part === undefined ? label : `${label}: ${PART_LABELS[part] ?? header}`,
    cellOf: ({ values }) => cellOf(values),
  }))

/** If two attributes have the same name, their slugs are used instead. */
function labelsOf(attributes: readonly ModelAttribute[]): Map<ModelAttribute, string> {
  const byName = Map.groupBy(attributes, ({ name }) => name.toLowerCase())
  return new Map(
    attributes.map((one) => [one, byName.get(one.name.toLowerCase())?.length === 1 ? one.name : one.slug]),
  )
}

/** @throws 400 validation_error */
function columnsFor(
  model: ObjectModel,
  caller: Caller,
  slugs: readonly string[],
): { columns: ViewColumn[]; named: ModelAttribute[] } {
  const attributes = slugs.flatMap((slug, place) => {
    if (Object.hasOwn(OWN, slug)) return []
    const attribute = model.attributes.get(slug)
    if (attribute) return attribute
    const message = unknownAttribute(
      model.slug,
      slug,
      toldNames(caller, 'attributes', model.attributes.keys()),
    )
    throw invalidField(`columns[${place}]`, 'unknown_attribute', message)
  })
  const labels = labelsOf(attributes)
  const columns = slugs.flatMap((slug) => {
    const attribute = model.attributes.get(slug)
    return attribute ? viewColumns(attribute, labels.get(attribute) ?? slug) : (OWN[slug] ?? [])
  })
  return { columns, named: attributes.filter(({ type }) => ID_TYPES.has(type)) }
}

/** Records with the text in a value of a type that can name records. */
function searchFilter(model: ObjectModel, caller: Caller, search: string): RecordFilter {
  if (!isStorable(search)) throw invalidField('search', 'invalid_text', NOT_STORABLE)
  const any = [...model.attributes.values()]
    .filter(({ type }) => TYPE_CONTRACTS[type].naming)
    .flatMap((attribute) => {
      const compiled = compileFilter({ attribute, operator: 'contains', value: search }, caller)
      return 'condition' in compiled ? compiled : []
    })
  return any.length === 0
    ? { condition: sql`false`, leaf: undefined }
    : { condition: join(conditionsOf(any), ' or ', '(', ')'), leaf: undefined, any }
}

async function queryOf(
  ctx: ModelContext,
  model: ObjectModel,
  caller: Caller,
  { filters, filter, sort, search }: ExportBody,
) {
  const asked = await readSearchFilters(ctx, caller, model, { filter, filters })
  return {
    filters: search === undefined ? asked : [...asked, searchFilter(model, caller, search)],
    sort: searchSort(model, sort, caller),
  }
}

interface Snapshot {
  tx: Db
  models: Models
  org: number
}

const idsIn = (rows: readonly Row[], slug: string) => [
  ...new Set(rows.flatMap(({ values }) => [values[slug] ?? []].flat().map(String))),
]

/** Names by id. Members are named by email, which an import recognizes. Former members keep their id. */
async function namesOf(
  { tx, models, org }: Snapshot,
  attribute: ModelAttribute,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { config } = attribute
  if (attribute.type === 'member')
    return new Map((await selectUsers(tx, org, ids)).map(({ id, email }) => [id, email]))
  if (!config || !('allowed_object_id' in config)) return new Map()
  const names = await selectNames(tx, await models.get(tx, org, config.allowed_object_id), ids)
  return new Map(names.map(({ recordId, name }) => [recordId, name]))
}

/** Replaces ids with names; a record without a name keeps its id. */
async function nameValues(
  snapshot: Snapshot,
  attribute: ModelAttribute,
  rows: readonly Row[],
): Promise<void> {
  const { slug } = attribute
  const ids = idsIn(rows, slug)
  if (ids.length === 0) return
  const nameById = await namesOf(snapshot, attribute, ids)
  const named = (id: JsonValue) => {
    const name = nameById.get(String(id))
    // The placeholder for a missing name would not identify the record in an import.
    return name === undefined || name === shortId(String(id)) ? id : name
  }
  for (const { values } of rows) {
    const value = values[slug]
    if (value !== undefined) values[slug] = Array.isArray(value) ? value.map(named) : named(value)
  }
}

const toRow = ({ id, micros, data }: StoredRecord): Row => ({ id, micros, values: parseJson(data) as Values })

export interface ViewExport {
  objectRef: string
  body: ExportBody
  /** Writes the next piece of text; the export continues when the promise resolves. */
  write: (text: string) => Promise<void>
  signal: AbortSignal
}

async function writeView(
  snapshot: Snapshot,
  caller: Caller,
  { objectRef, body, write, signal }: ViewExport,
): Promise<void> {
  const { tx, models, org } = snapshot
  const model = await models.get(tx, org, objectRef)
  const { columns, named } = columnsFor(model, caller, body.columns)
  const streams = await recordStreams(tx, model, await queryOf({ db: tx, models }, model, caller, body))
  await write(toCsv([columns.map(({ header }) => header)]))
  for await (const page of readStreams(tx, model, streams)) {
    signal.throwIfAborted()
    const rows = page.map(toRow)
    if (body.references !== 'id') for (const attribute of named) await nameValues(snapshot, attribute, rows)
    await write(toCsv(rows.map((row) => columns.map(({ cellOf }) => cellOf(row)))))
  }
}

/**
 * Writes the records of a view as CSV, from one snapshot. A text that spreadsheets would read as a formula gets an
 * apostrophe, which an import removes. If a replica fails, the primary continues the text, provided that its text has
 * the same beginning.
 * @throws 400 validation_error, invalid_filter, invalid_parameter, 404 not_found, before anything is written
 */
export function exportView(ctx: RecordExportContext, caller: Caller, options: ViewExport): Promise<void> {
  const text = new ResumedText(options.write)
  const { org } = caller
  return readAtReplica(ctx, { kind: 'export', org, signal: options.signal }, ({ exports }) =>
    exports.pool.snapshot(async (tx) => {
      await takeAnyIdleTime(tx)
      // The models from the snapshot, not from the cache of this process.
      const snapshot = { tx, models: createModels(), org }
      const { write, end } = text.begin()
      await writeView(snapshot, caller, { ...options, write })
      end()
    }),
  )
}
