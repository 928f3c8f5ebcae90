// What workflows use of the service: their steps do what records, reports and webhooks do.
import type { RecordContext } from '../records/context.ts'
import type { ReportContext } from '../reports/context.ts'
import type { WebhookContext } from '../webhooks/context.ts'

export type WorkflowContext = RecordContext & ReportContext & WebhookContext
