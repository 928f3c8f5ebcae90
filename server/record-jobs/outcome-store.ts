// Statements about the records that an import has written.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { JobRef } from './store.ts'

/** Number of records that the change set of the job created, by the slug of their object. */
export const countCreated = (db: Db, { org, id }: JobRef): Promise<{ slug: string; created: number }[]> =>
  db.many(sql`
    select o.slug, count(*)::int as created
    from change_set_batches b
    cross join unnest(b.events) as w(event)
    join events e on e.org = b.org and e.id = w.event and e.type = 'record.created'
    join objects o on o.org = e.org and o.obj = e.obj
    where b.org = ${org} and b.change_set = ${id}
    group by o.slug order by o.slug`)

/** The results of the last batch with results, one line of JSON per row. */
export const lastResults = (db: Db, { org, id }: JobRef): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select results from record_job_results where org = ${org} and job = ${id} order by starts_at desc limit 1`)
