// What notifications use of the service.

import type { BaseContext } from '../db/base-context.ts'
import type { Wake } from '../jobs/wake.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { ModelContext } from '../model/attributes/models.ts'

export interface NotificationContext extends BaseContext, ModelContext {
  mailer: Mailer
  /** Says that events were committed. */
  wake: Wake
}
