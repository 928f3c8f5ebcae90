// The parts of the service that notifications use.

import type { BaseContext } from '../db/base-context.ts'
import type { Wake } from '../jobs/wake.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { ModelContext } from '../model/attributes/models.ts'

export interface NotificationContext extends BaseContext, ModelContext {
  mailer: Mailer
  /** Signals that events were committed. */
  wake: Wake
}
