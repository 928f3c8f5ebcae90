// Statements that read the changes of attachments by a source, last first. Attachments have no events; their changes are
// rows of attachment_changes.
import sql, { type Sql } from 'sql-template-tag'
import { UNDO_HOURS } from '../../contract/limits.ts'
import type { AttachmentChange } from '../attachments/changes-store.ts'
import type { Db } from '../db/pool.ts'
import { isBatched, type Source } from './source.ts'

export type AttachmentChangeType = 'attachment.created' | 'attachment.updated' | 'attachment.deleted'

/** FROM item and conditions of the changes `c` of the source. No step of a workflow changes attachments. */
function changesOf(source: Source): Sql {
  const { org, kind, id, firstEvent, position } = source
  if (isBatched(source))
    return sql`attachment_changes c where c.org = ${org} and c.change_set = ${id}
      and uuid_extract_timestamp(c.id) >= now() - make_interval(hours => ${UNDO_HOURS})`
  return sql`attachment_changes c where c.org = ${org} and c.api_key = ${id} and ${kind === 'apiKey'}
    and c.id >= ${firstEvent}::uuid and c.id < ${position}::uuid`
}

/** Files of records are written with the scope of records, which each undo job has. */
const isUndone = ({ withActivityFiles }: Source): Sql => sql`(not c.of_activity or ${withActivityFiles})`

export interface FileCounts {
  created: number
  updated: number
  deleted: number
  /** Number of changes of files of activities that are not undone. */
  otherFiles: number
}

export const countFileChanges = (db: Db, source: Source): Promise<FileCounts> =>
  db.one<FileCounts>(sql`
    select count(*) filter (where ${isUndone(source)} and c.kind = 'created')::int as created,
      count(*) filter (where ${isUndone(source)} and c.kind = 'updated')::int as updated,
      count(*) filter (where ${isUndone(source)} and c.kind = 'deleted')::int as deleted,
      count(*) filter (where not ${isUndone(source)})::int as "otherFiles"
    from ${changesOf(source)}`)

interface FileRow extends AttachmentChange {
  id: string
  type: AttachmentChangeType
}

/** The last changes that are not undone yet. */
export const selectFileChanges = (tx: Db, source: Source, limit: number): Promise<FileRow[]> =>
  tx.many<FileRow>(sql`
    select c.id, 'attachment.' || c.kind as type, c.attachment as "attachmentId", c.before, c.after
    from ${changesOf(source)} and ${isUndone(source)} order by c.id desc limit ${limit}`)

/** Takes undone changes out of their change set. They stay for the conflicts, and among the changes of their API key. */
export const leaveSet = (tx: Db, { org, id }: Source, changeIds: readonly string[]): Promise<number> =>
  tx.run(sql`
    update attachment_changes set change_set = null
    where org = ${org} and change_set = ${id} and id = any(${changeIds}::uuid[])`)
