// What members want to be notified of.
import sql from 'sql-template-tag'
import type { KindChoice, NotificationKind } from '../../contract/notification-kinds.ts'
import type { Db } from '../db/pool.ts'
import type { Owner } from './inbox-store.ts'

export interface StoredSettings {
  kinds: Partial<Record<NotificationKind, KindChoice>>
  digestHour: number
  timeZone: string | null
}

export const selectSettings = (db: Db, { org, userId }: Owner): Promise<StoredSettings | undefined> =>
  db.maybeOne<StoredSettings>(sql`
    select kinds, digest_hour as "digestHour", time_zone as "timeZone" from notification_settings
    where org = ${org} and user_id = ${userId}`)

/** Kinds that are not named keep their choice. */
export const upsertSettings = (
  db: Db,
  { org, userId }: Owner,
  { kinds, digestHour, timeZone }: StoredSettings,
): Promise<StoredSettings> =>
  db.one<StoredSettings>(sql`
    insert into notification_settings as s (org, user_id, kinds, digest_hour, time_zone)
    values (${org}, ${userId}, ${JSON.stringify(kinds)}::jsonb, ${digestHour}, ${timeZone})
    on conflict (org, user_id) do update set kinds = s.kinds || excluded.kinds,
      digest_hour = excluded.digest_hour, time_zone = excluded.time_zone
    returning kinds, digest_hour as "digestHour", time_zone as "timeZone"`)
