// The statement that changes records of several requests; for plain values only.
import sql, { empty, type Sql } from 'sql-template-tag'
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { indexUpdated } from '../engine/index/index-writes.ts'
import { batchRows, type RecordWrite, type RecordWritesOptions } from './batches.ts'
import { EACH_AUTHOR, MERGE_OF_DRAFTS, updateStatement, WRITTEN } from './statements.ts'

/** The size of larger records is measured after the merge, by the statement of the single record. */
const IS_SMALL = sql`octet_length(r.data::text) + octet_length(d.data::text) <= ${RECORD_BYTES_MAX}::int`

// Skips a record that another transaction has locked, or has changed since the snapshot.
const RECORD = recordOf({ org: sql`d.org`, obj: sql`d.obj` }, sql`d.id`, {
  conditions: [IS_SMALL],
  lock: sql`for no key update skip locked`,
})

const FROM = sql`draft d
  cross join lateral (
    select hidden_slugs, renaming from objects where org = d.org and obj = d.obj and version = d.model offset 0) as o
  ${RECORD}`

const RETURNING = sql`${MERGE_OF_DRAFTS.returning}, d.org, d.obj, d.actor, d.key, o.hidden_slugs, o.renaming`

const indexRows = (batch: readonly RecordWrite[], model: ObjectModel) =>
  indexUpdated(model, WRITTEN, new Set(batch.flatMap(({ draft }) => draft.slugs)))

const updateBatch = (batch: readonly RecordWrite[], model: ObjectModel | undefined): Sql =>
  updateStatement(EACH_AUTHOR, {
    ...MERGE_OF_DRAFTS,
    before: sql`draft as materialized (${batchRows(batch)}),`,
    from: FROM,
    returning: RETURNING,
    index: model ? indexRows(batch, model) : empty,
  })

export const UPDATES: RecordWritesOptions = { statement: updateBatch, keysOf: ({ id }) => [id] }
