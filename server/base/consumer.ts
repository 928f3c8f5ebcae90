/**
 * A consumer of events: the delivery of webhooks (by the service or by Svix), the triggers of workflows, or
 * notifications of members. Notifications get outbox entries without a listener (events/outbox.ts). Stored in
 * event_pending.reader.
 */
export type Consumer = 'webhooks' | 'workflows' | 'notifications'
