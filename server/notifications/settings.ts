// What the signed-in member wants to be notified of.
import { NOTIFICATION_KINDS } from '../../contract/notification-kinds.ts'
import type { NotificationSettings, NotificationSettingsPatch } from '../../contract/notifications.ts'
import type { Caller } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import { requireTimeZone } from '../identity/service.ts'
import type { NotificationContext } from './context.ts'
import { type StoredSettings, selectSettings, upsertSettings } from './settings-store.ts'

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
