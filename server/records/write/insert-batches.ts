// The statement for new records of several requests.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { indexInserted } from '../engine/index/index-writes.ts'
import { batchRows, type RecordWrite, type RecordWritesOptions } from './batches.ts'
import { EACH_AUTHOR, insertStatement, newRow, WRITTEN } from './statements.ts'
import { heldBy, uniqueKey } from './store.ts'

/** Unique values and references with their organizations. All writers order unique values in the same way. */
function derivedRows(batch: readonly RecordWrite[]): { held: Sql; link: Sql } {
  const drafts = batch.map(({ draft }) => draft)
  const orgs = new Map(batch.map(({ draft, model }) => [draft.id, model.org]))
  const held = heldBy(drafts)
  const links = drafts.flatMap(({ id, links: own }) => own.map((link) => ({ id, ...link })))
  const orgsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => orgs.get(id))
  return {
    held: sql`
      select * from unnest(${orgsOf(held)}::int[], ${held.map(({ attr }) => attr)}::int[],
        ${held.map(({ value }) => value)}::text[], ${held.map(({ id }) => id)}::uuid[]) as h(org, attr, value, id)`,
    link: sql`
      select * from unnest(${orgsOf(links)}::int[], ${links.map(({ attr }) => attr)}::int[],
        ${links.map(({ targetObj }) => targetObj)}::int[], ${links.map(({ target }) => target)}::uuid[],
        ${links.map(({ id }) => id)}::uuid[]) as l(org, attr, obj, target, id)`,
  }
}

// Looks up each target by its key, regardless of the planner's row estimate.
const TARGET = sql`
  select l.id, l.attr, l.target from link l
  ${recordOf({ org: sql`l.org`, obj: sql`l.obj` }, sql`l.target`, { lock: sql`for key share skip locked` })}`

/** Drafts with an outdated model, a taken unique value, or a reference to a record that is missing or being deleted. */
const UNFIT = sql`
  select d.id from draft d where not exists (
    select from objects o where o.org = d.org and o.obj = d.obj and o.version = d.model offset 0)
  union all select id from link where (id, attr, target) not in (select id, attr, target from target)
  union all select h.id from held h cross join lateral (
    select from uniques u where u.org = h.org and u.attr = h.attr and u.value = h.value offset 0) as taken`

const FIT = sql`id not in (select id from unfit)`

const ROW = newRow({ org: sql`org`, obj: sql`obj`, creator: sql`coalesce(key, actor)` })

function insertBatch(batch: readonly RecordWrite[], model: ObjectModel | undefined): Sql {
  const { held, link } = derivedRows(batch)
  return insertStatement(EACH_AUTHOR, {
    before: sql`
      draft as materialized (${batchRows(batch)}),
      held as materialized (${held}), link as materialized (${link}),
      target as materialized (${TARGET}), unfit as materialized (${UNFIT}),`,
    rows: sql`select ${ROW} from draft where ${FIT}`,
    others: sql`,
      unique_values as (
        insert into uniques (org, attr, value, id) select org, attr, value, id from held where ${FIT}),
      reference_values as (
        insert into links (org, attr, target, id) select org, attr, target, id from link where ${FIT})
      ${model ? indexInserted(model, WRITTEN) : empty}`,
    source: sql`draft where ${FIT}`,
  })
}

export const INSERTS: RecordWritesOptions = {
  statement: insertBatch,
  keysOf: ({ uniques }) => uniques.map(uniqueKey),
}
