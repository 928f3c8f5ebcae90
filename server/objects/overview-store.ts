// How much there is of each object.
import sql from 'sql-template-tag'
import type { CrmObject } from '../../contract/objects.ts'
import type { Db } from '../db/pool.ts'
import { recordCount } from './record-count.ts'
import { columns } from './store.ts'

type WithAttributes = CrmObject & { attributeCount: number }

/** Those that are not deleted, oldest first. */
export const selectAllObjects = (db: Db, org: number) =>
  db.many<WithAttributes>(sql`
    select ${columns}, (
      select count(*) from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null) as "attributeCount"
    from objects o where o.org = ${org} and o.deleted_at is null order by o.created_at, o.obj`)

export const countRecords = (db: Db, org: number) =>
  db.many<{ objectId: string; total: number }>(sql`
    select o.id as "objectId", ${recordCount} as total
    from objects o where o.org = ${org} and o.deleted_at is null`)
