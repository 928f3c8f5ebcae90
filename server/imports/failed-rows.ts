// The failed rows of an import, as a file to fix and upload again.
import type { Caller } from '../base/caller.ts'
import type { ImportContext } from './context.ts'
import { failedFile } from './failed-file.ts'
import { requireImport } from './service.ts'
import { type ImportRef, readFailures } from './store.ts'

async function* csvOf(
  ctx: ImportContext,
  ref: ImportRef,
  headers: readonly string[],
): AsyncGenerator<string> {
  const { head, textOf } = failedFile(headers)
  yield head
  for await (const page of readFailures(ctx.db, ref)) yield textOf(page)
}

/** @throws 404 not_found before it returns any text */
export async function failedRows(
  ctx: ImportContext,
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
