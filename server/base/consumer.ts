/**
 * Processes events: delivery of webhooks, by the service or by Svix; the triggers of workflows; and notifications of
 * members, which have outbox entries without a listener (events/outbox.ts). In the column event_pending.reader.
 */
export type Consumer = 'webhooks' | 'workflows' | 'notifications'
