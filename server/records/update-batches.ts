// The statement for changed records of several requests: plain values.
import sql, { empty, type Sql } from 'sql-template-tag'
import { RECORD_BYTES_MAX } from '../../contract/limits.ts'
import type { ObjectModel } from '../attributes/models.ts'
import { eventsOfMany } from '../events/outbox.ts'
import { nextEvent, nextVersion } from '../events/sequence.ts'
import { newId } from '../id.ts'
import { recordOf } from '../objects/record-lookup.ts'
import { indexUpdated } from '../query-engine/maintenance/index-writes.ts'
import { microsOf } from './sorting.ts'
import { visibleBy } from './store.ts'
import { batchRows, type RecordWrite, type RecordWritesOptions } from './write-batches.ts'
import { changedValues, merged, mergedComparable } from './write-store.ts'

/** Larger ones are measured after their merge. */
const IS_SMALL = sql`octet_length(r.data::text) + octet_length(d.data::text) <= ${RECORD_BYTES_MAX}::int`

// A record that another transaction has locked, or has changed since the snapshot, is left alone.
const RECORD = recordOf({ org: sql`d.org`, obj: sql`d.obj` }, sql`d.id`, {
  conditions: [IS_SMALL],
  lock: sql`for no key update skip locked`,
})

const VISIBLE = visibleBy({ hidden: sql`hidden_slugs`, renaming: sql`renaming` }, sql`data`)

const CHANGES = sql`(
  select org, obj, actor, key as api_key, ${nextEvent(sql`written`, sql`event`)}, id as subject, ${VISIBLE} as data,
    ${changedValues} as changes
  from written) as change`

const indexRows = (batch: readonly RecordWrite[], model: ObjectModel) =>
  indexUpdated(model, sql`written`, new Set(batch.flatMap(({ draft }) => draft.slugs)))

const updateBatch = (batch: readonly RecordWrite[], model: ObjectModel | undefined): Sql => sql`
  with draft as materialized (${batchRows(batch, newId)}),
  written as (
    update records as changed set data = ${merged}, comparable = ${mergedComparable}, ${nextVersion(sql`r`)}
    from draft d
    cross join lateral (
      select hidden_slugs, renaming from objects where org = d.org and obj = d.obj and version = d.model offset 0) as o
    ${RECORD}
    where changed.org = d.org and changed.ctid = r.place and ${merged} is distinct from r.data
    returning d.org, d.obj, d.actor, d.key, o.hidden_slugs, o.renaming, changed.id, d.event, d.data as patch, old.data as before,
      old.updated_at as updated_before, new.data as data, new.updated_at, new.version, new.event_order,
      old.comparable as comparable_before, new.comparable as comparable)
  ${model ? indexRows(batch, model) : empty},
  ${eventsOfMany('record.updated', CHANGES)}
  select id, ${microsOf(sql`updated_at`)} as micros, version, ${VISIBLE}::text as data from written`

export const UPDATES: RecordWritesOptions = { statement: updateBatch, keysOf: ({ id }) => [id] }
