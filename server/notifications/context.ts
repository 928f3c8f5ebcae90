// What notifications use of the service.
import type { ModelContext } from '../attributes/models.ts'
import type { BaseContext } from '../base-context.ts'
import type { Wake } from '../jobs/wake.ts'
import type { Mailer } from '../mail/mailer.ts'

export interface NotificationContext extends BaseContext, ModelContext {
  mailer: Mailer
  /** Says that events were committed. */
  wake: Wake
}
