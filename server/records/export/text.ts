// Converts the records of an export to text: to a table, or to lines of JSON.
import { toCsv } from '../../../contract/csv-text.ts'
import { idTime } from '../../base/id.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import { type ExportColumn, exportColumns } from './cells.ts'
import { fieldColumns, readTargets, shapeData, type Targets, type Values } from './field-values.ts'
import { type ExportField, isPath, withOnlyFields } from './fields.ts'

export interface Layout {
  /** Its visible data has the attributes that the fields begin with. */
  model: ObjectModel
  /** undefined: all attributes. */
  fields: readonly ExportField[] | undefined
}

export function layoutOf(model: ObjectModel, fields: readonly ExportField[] | undefined): Layout {
  const paths = fields?.map(({ path }) => path)
  return { model: paths ? withOnlyFields(model, paths) : model, fields }
}

const NONE: Targets = new Map()

/** One column for each header; a part that is named again has no second column. */
function columnsIn({ model, fields }: Layout, targets: Targets): Map<string, ExportColumn> {
  const columns = fields?.flatMap((field) => fieldColumns(field, targets)) ?? exportColumns(model)
  return new Map(columns.map((column) => [column.header, column]))
}

/** The headers of the columns between the id and the times. */
export const headersOf = (layout: Layout): string[] => [...columnsIn(layout, NONE).keys()]

export const headOf = (headers: readonly string[]): string =>
  toCsv([['id', ...headers, 'createdAt', 'updatedAt']])

const isoTime = (ms: number) => new Date(ms).toISOString()

/** Reads the referenced records. A header without a column has empty cells. */
export async function csvOf(
  db: Db,
  layout: Layout,
  { headers, records }: { headers: readonly string[]; records: readonly StoredRecord[] },
): Promise<string> {
  const targets = await readTargets(db, layout.model.org, layout.fields ?? [], records)
  const columns = columnsIn(layout, targets)
  return toCsv(
    records.map(({ id, micros, data }) => {
      const values = parseJson(data) as Values
      const cells = headers.map((header) => columns.get(header)?.cellOf(values) ?? '')
      return [id, ...cells, isoTime(idTime(id)), isoTime(Math.floor(micros / 1000))]
    }),
  )
}

/** Reads the referenced records. Lines without parts and referenced records have the text of PostgreSQL. */
export async function linesOf(db: Db, { model, fields = [] }: Layout, records: readonly StoredRecord[]) {
  const isText = !fields.some(({ path }) => isPath(path))
  const targets = isText ? NONE : await readTargets(db, model.org, fields, records)
  const shape = shapeData(fields)
  const dataOf = (data: string) => JSON.stringify(shape(parseJson(data) as Values, targets))
  const lines = records.map((record) =>
    recordJson(model, isText ? record : { ...record, data: dataOf(record.data) }),
  )
  return lines.map((line) => `${line}\n`).join('')
}
