// By which version of an inbox open dashboards know that it has changed.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { Owner } from './inbox-store.ts'

/** By the place of the owner in the list; members whose inbox never changed have none. */
export async function selectInboxVersions(db: Db, owners: readonly Owner[]): Promise<Map<number, string>> {
  const rows = await db.many<{ nr: number; version: string }>(sql`
    select owner.nr - 1 as nr, i.version::text as version
    from unnest(${owners.map(({ org }) => org)}::int[], ${owners.map(({ userId }) => userId)}::uuid[])
      with ordinality as owner (org, user_id, nr)
    cross join lateral (
      select version from inboxes i where i.org = owner.org and i.user_id = owner.user_id offset 0) as i`)
  return new Map(rows.map(({ nr, version }) => [nr, version]))
}
