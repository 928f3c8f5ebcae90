// The unique values of one column in all rows: the options of a select attribute that is created for it.
import { IMPORT_VALUE_CHARACTERS_MAX, IMPORT_VALUES_MAX } from '../../contract/import-states.ts'
import type { ColumnValues } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { ImportContext } from './context.ts'
import { decodeText, type Encoding } from './csv/encoding.ts'
import { type CsvRow, type CsvText, openCsvText } from './csv/read.ts'
import { copied } from './csv/survey.ts'
import { withReadingPlace } from './reading-places.ts'
import { requireImport } from './service.ts'
import { type ImportRow, readChunks } from './store.ts'

/** Values of broken rows are left out, because these rows are not imported. */
const cellOf = ({ cells, error }: CsvRow, index: number): string =>
  error === undefined ? (cells[index] ?? '').trim() : ''

async function distinct({ pieces }: CsvText, index: number): Promise<ColumnValues> {
  const values = new Set<string>()
  let isHeader = true
  for await (const rows of pieces)
    for (const row of rows) {
      const value = isHeader ? '' : cellOf(row, index)
      isHeader = false
      if (value === '' || values.has(value)) continue
      const isBeyond = values.size >= IMPORT_VALUES_MAX || value.length > IMPORT_VALUE_CHARACTERS_MAX
      if (isBeyond) return { values: [...values], isComplete: false }
      values.add(copied(value))
    }
  return { values: [...values], isComplete: true }
}

function requireColumn({ columns, hasFile }: ImportRow, index: number): void {
  if (!columns[index]) throw notFound('column')
  if (!hasFile) throw new AppError('wrong_state', 'The file of this import was removed: upload it again')
}

/** Values in file order. @throws 404 not_found, 409 wrong_state, 429 rate_limit_exceeded, 503 unavailable */
export async function columnValues(
  ctx: ImportContext,
  caller: Caller,
  { importId, index }: { importId: string; index: number },
): Promise<ColumnValues> {
  const found = await requireImport(ctx, caller, importId)
  requireColumn(found, index)
  return withReadingPlace(caller.org, async () => {
    const bytes = readChunks(ctx.db, { org: caller.org, id: found.id })
    const text = decodeText(bytes, found.encoding as Encoding)
    return distinct(await openCsvText(text, found.delimiter), index)
  })
}
