// Notification settings of the signed-in member.
import sql from 'sql-template-tag'
import {
  type KindChoice,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../contract/notification-kinds.ts'
import type { NotificationSettings, NotificationSettingsPatch } from '../../contract/notifications.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { requireTimeZone } from '../identity/service.ts'
import type { NotificationContext } from './context.ts'
import type { InboxOwner } from './inbox-store.ts'

interface StoredSettings {
  kinds: Partial<Record<NotificationKind, KindChoice>>
  digestHour: number
  timeZone: string | null
}

const selectSettings = (db: Db, { org, userId }: InboxOwner): Promise<StoredSettings | undefined> =>
  db.maybeOne<StoredSettings>(sql`
    select kinds, digest_hour as "digestHour", time_zone as "timeZone" from notification_settings
    where org = ${org} and user_id = ${userId}`)

/** Kinds that are not named keep their choice. */
const upsertSettings = (
  db: Db,
  { org, userId }: InboxOwner,
  { kinds, digestHour, timeZone }: StoredSettings,
): Promise<StoredSettings> =>
  db.one<StoredSettings>(sql`
    insert into notification_settings as s (org, user_id, kinds, digest_hour, time_zone)
    values (${org}, ${userId}, ${JSON.stringify(kinds)}::jsonb, ${digestHour}, ${timeZone})
    on conflict (org, user_id) do update set kinds = s.kinds || excluded.kinds,
      digest_hour = excluded.digest_hour, time_zone = excluded.time_zone
    returning kinds, digest_hour as "digestHour", time_zone as "timeZone"`)

const DEFAULTS: StoredSettings = { kinds: {}, digestHour: 8, timeZone: null }

const complete = ({ kinds, digestHour, timeZone }: StoredSettings): NotificationSettings => ({
  kinds: { ...NOTIFICATION_KINDS, ...kinds },
  digestHour,
  timeZone,
})

export const getSettings = async ({ db }: { db: Db }, caller: Caller): Promise<NotificationSettings> =>
  complete((await selectSettings(db, caller)) ?? DEFAULTS)

/** @throws 400 validation_error */
export async function patchSettings(
  ctx: NotificationContext,
  caller: Caller,
  patch: NotificationSettingsPatch,
): Promise<NotificationSettings> {
  if (typeof patch.timeZone === 'string') await requireTimeZone(ctx.db, patch.timeZone)
  return ctx.db.transaction(async (tx) => {
    const before = (await selectSettings(tx, caller)) ?? DEFAULTS
    const { digestHour = before.digestHour, timeZone = before.timeZone, kinds = {} } = patch
    return complete(await upsertSettings(tx, caller, { kinds, digestHour, timeZone }))
  })
}
