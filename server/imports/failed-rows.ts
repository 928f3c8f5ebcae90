// The rows of an import that became no record, as a file to mend and upload again.
import { stringify } from 'csv-stringify/sync'
import type { Caller, Context } from '../context.ts'
import { escapeFormula } from '../records/import/formulas.ts'
import { requireImport } from './service.ts'
import { type ImportRef, readFailures } from './store.ts'

const toCsv = (rows: string[][]) => stringify(rows, { quoted_match: /\r/ })

/** Broken rows have fewer cells, or more: what is wrong with them stays in its column all the same. */
const fitted = (cells: readonly string[], width: number) =>
  Array.from({ length: width }, (_, index) => cells[index] ?? '')

async function* csvOf(ctx: Context, ref: ImportRef, headers: readonly string[]): AsyncGenerator<string> {
  // Spreadsheets take a file for UTF-8 when it begins with the mark.
  yield `\ufeff${toCsv([[...headers, 'error']])}`
  for await (const page of readFailures(ctx.db, ref))
    yield toCsv(
      page.map(({ cells, error }) => [...fitted(cells, headers.length).map(harmless), escapeFormula(error)]),
    )
}

/** Cells go back as they came, but no formula. Numbers stay numbers. */
const harmless = (cell: string) => (/^[+-]?[\d\s.,()/-]*$/.test(cell) ? cell : escapeFormula(cell))

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
