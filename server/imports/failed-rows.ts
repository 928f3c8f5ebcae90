// The failed rows of an import, as a file to fix and upload again.
import type { Caller, Context } from '../context.ts'
import { toCsv } from '../csv.ts'
import { requireImport } from './service.ts'
import { type ImportRef, readFailures } from './store.ts'

/** Broken rows have too few or too many cells; their error still has to be in its column. */
const fitted = (cells: readonly string[], width: number) =>
  Array.from({ length: width }, (_, index) => cells[index] ?? '')

async function* csvOf(ctx: Context, ref: ImportRef, headers: readonly string[]): AsyncGenerator<string> {
  // Spreadsheets read a file as UTF-8 if it starts with a byte order mark.
  yield `\ufeff${toCsv([[...headers, 'error']])}`
  for await (const page of readFailures(ctx.db, ref))
    yield toCsv(page.map(({ cells, error }) => [...fitted(cells, headers.length), error]))
}

/** @throws 404 not_found before the first text */
export async function failedRows(
  ctx: Context,
  caller: Caller,
  importId: string,
): Promise<{ fileName: string; texts: AsyncGenerator<string> }> {
  const { columns, fileName, id } = await requireImport(ctx, caller, importId)
  const headers = columns.map(({ header }) => header)
  return {
    fileName: `${fileName.replace(/\.csv$/i, '')}-failed.csv`,
    texts: csvOf(ctx, { org: caller.org, id }, headers),
  }
}
