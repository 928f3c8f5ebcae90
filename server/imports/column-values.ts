// The unique values of one column in all rows: the options of a select attribute that is created for it.
import { IMPORT_VALUE_CHARACTERS_MAX, IMPORT_VALUES_MAX } from '../../contract/import-states.ts'
import type { ColumnValues } from '../../contract/imports.ts'
import type { Caller, Context } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { type CsvRow, readCsv } from '../records/import/csv.ts'
import { type Encoding, toUtf8 } from './encoding.ts'
import { requireImport } from './service.ts'
import { type ImportRow, readChunks } from './store.ts'

/** Values of broken rows are left out, because these rows are not imported. */
const cellOf = ({ cells, error }: CsvRow, { index, width }: { index: number; width: number }): string =>
  error === undefined && cells.length === width ? (cells[index] ?? '').trim() : ''

async function distinct(
  rows: AsyncIterable<CsvRow>,
  place: { index: number; width: number },
): Promise<ColumnValues> {
  const values = new Set<string>()
  let isHeader = true
  for await (const row of rows) {
    const value = isHeader ? '' : cellOf(row, place)
    isHeader = false
    if (value === '' || values.has(value)) continue
    const isBeyond = values.size >= IMPORT_VALUES_MAX || value.length > IMPORT_VALUE_CHARACTERS_MAX
    if (isBeyond) return { values: [...values], isComplete: false }
    values.add(value)
  }
  return { values: [...values], isComplete: true }
}

function requireColumn({ columns, hasFile }: ImportRow, index: number): { index: number; width: number } {
  if (!columns[index]) throw notFound('column')
  if (!hasFile) throw new AppError('wrong_state', 'The file of this import was removed: upload it again')
  return { index, width: columns.length }
}

/** In the order of the file. @throws 404 not_found, 409 wrong_state */
export async function columnValues(
  ctx: Context,
  caller: Caller,
  { importId, index }: { importId: string; index: number },
): Promise<ColumnValues> {
  const found = await requireImport(ctx, caller, importId)
  const place = requireColumn(found, index)
  const text = toUtf8(readChunks(ctx.db, { org: caller.org, id: found.id }), found.encoding as Encoding)
  const rows = readCsv(text, { delimiter: found.delimiter })
  try {
    return await distinct(rows, place)
  } finally {
    await rows.return(undefined)
  }
}
