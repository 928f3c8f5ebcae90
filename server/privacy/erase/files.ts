// Erases files that nothing else uses. The bytes are deleted first, so that every remaining file has a row.
import sql from 'sql-template-tag'
import { IS_USED } from '../../attachments/unused-store.ts'
import { deleteFile, FILE_COLUMNS, type FileRow } from '../../files/store.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep, ErasureWork } from './step.ts'

const BATCH = 20

/** The mark prevents the files from being used again (files/store.ts markUsed). */
async function before({ ctx, erasure: { org, files } }: ErasureWork): Promise<FileRow[]> {
  const rows = await ctx.db.many<FileRow>(sql`
    update files f set unused_since = '-infinity' from (
      select f.org, f.id from files f
      where f.org = ${org} and f.id = any(${files}::uuid[]) and not ${IS_USED} order by f.id limit ${BATCH}) as next
    where f.org = next.org and f.id = next.id returning ${FILE_COLUMNS}`)
  for (const { key } of rows) await ctx.files.delete(key)
  return rows
}

async function batch({ tx }: ErasureBatchWork, rows: FileRow[]): Promise<ErasureBatch> {
  for (const row of rows) await deleteFile(tx, row)
  return { isDone: rows.length < BATCH, counts: { files: rows.length } }
}

export const files: ErasureStep<FileRow[]> = { name: 'files', before, batch }
