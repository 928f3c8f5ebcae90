// The parts of the service that webhooks use.
import type { BaseContext } from '../db/base-context.ts'
import type { Egress } from '../http/egress.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Wake } from '../jobs/wake.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { SecretBox } from '../secrets/box.ts'
import type { Svix } from './svix/client.ts'

export interface WebhookContext extends BaseContext {
  mailer: Mailer
  /** Queues jobs for the worker. */
  queue: Queue
  /** Signals that events were committed. */
  wake: Wake
  /** Encrypts values that the database must not show, such as the secrets of endpoints. */
  secrets: SecretBox
  /** Sends requests to URLs that users enter. */
  egress: Egress
  /** Delivers webhooks instead of the service; undefined: the service delivers them. */
  svix: Svix | undefined
}
