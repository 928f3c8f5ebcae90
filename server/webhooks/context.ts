// What webhooks use of the service.
import type { BaseContext } from '../db/base-context.ts'
import type { Egress } from '../http/egress.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Wake } from '../jobs/wake.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { SecretBox } from '../secrets/box.ts'
import type { Svix } from './svix/client.ts'

export interface WebhookContext extends BaseContext {
  mailer: Mailer
  /** Hands work to the worker. */
  queue: Queue
  /** Says that events were committed. */
  wake: Wake
  /** Seals what the database must not show, such as the secrets of endpoints. */
  secrets: SecretBox
  /** Asks addresses that users name. */
  egress: Egress
  /** Delivers webhooks in place of the service; undefined: the service does. */
  svix: Svix | undefined
}
