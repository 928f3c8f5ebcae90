// Records whose last changes are far apart in time, and pages in that order: by the histogram and by a scan.
import sql from 'sql-template-tag'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { withModel } from '../../model/attributes/models.ts'
import { type Order, sortOf } from '../rows/sorting.ts'
import { preparePage } from './executor.ts'
import { scanPage } from './full-scan.ts'
import { foldObject } from './maintenance/fold.ts'
import type { ObjectKey } from './maintenance/work-store.ts'
import { rowSource } from './sql/row-source.ts'
import { isIndexed } from './statistics.ts'
import { readUnfiltered } from './unfiltered-page.ts'

/**
 * Moves the last change of each record up to 130 seconds back: many changes to the start of a second, some to the same
 * time. Updates the counters, if there are any.
 */
export const changeBefore = (db: Db, { org, obj }: ObjectKey): Promise<number> =>
  db.run(sql`
    with moved as (
      update records r set updated_at = date_trunc('second', r.updated_at) - ((hashtext(r.id::text) & 255) * 0.5 + 1) * interval '1 second'
      where r.org = ${org} and r.obj = ${obj}
      returning extract(epoch from old.updated_at) as was, extract(epoch from new.updated_at) as is_now)
    insert into stat_changes (org, obj, attrs, vals, ns)
    select o.org, o.obj, array_agg(-1), array_agg(floor(c.second)::text), array_agg(c.n)
    from objects o, moved m cross join lateral (values (m.was, -1), (m.is_now, 1)) as c(second, n)
    where o.org = ${org} and o.obj = ${obj} and o.index_state <> 'none' group by o.org, o.obj`)

/** Folds all changes, and adds an empty range after the last change. The object must have no writers. */
export async function openRange(db: Db, object: ObjectKey): Promise<void> {
  while ((await foldObject(db, object)).hasMore);
  await db.run(sql`
    insert into stat_number (org, obj, attr, low, n)
    select o.org, o.obj, -1, floor(extract(epoch from max(r.updated_at))) + 1, 0
    from objects o join records r on r.org = o.org and r.obj = o.obj
    where o.org = ${object.org} and o.obj = ${object.obj} and o.index_state = 'ready'
    group by o.org, o.obj on conflict do nothing`)
}

interface Slice {
  ids: string[]
  total: number | null | undefined
}

/** @returns undefined when the object's index is not complete */
export const pagesByChange = (
  ctx: Pick<Context, 'db' | 'models'>,
  { org, ref }: { org: number; ref: string },
  { order, offset }: { order: Order; offset: number },
): Promise<{ sought: Slice; scanned: Slice } | undefined> =>
  withModel(ctx, org, ref, async (model) => {
    if (!isIndexed(model)) return undefined
    const sort = sortOf(model, { field: 'updated_at', order, path: 'sort' })
    const query = { filters: [], sort, position: undefined, limit: 5, offset, count: true }
    const found = await readUnfiltered(rowSource(ctx.db, model), preparePage(model, query).request, {
      path: { path: 'offset_seek' },
      isTotalAsked: true,
    })
    const page = await scanPage(ctx.db, model, query)
    const sliceOf = ({ records, total }: Pick<typeof found | typeof page, 'records' | 'total'>): Slice => ({
      ids: records.slice(0, query.limit).map(({ id }) => id),
      total,
    })
    return { sought: sliceOf(found), scanned: sliceOf(page) }
  })
