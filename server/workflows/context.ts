// The parts of the service that workflows use. Their steps need records, reports and webhooks.
import type { RecordContext } from '../records/context.ts'
import type { ReportContext } from '../reports/context.ts'
import type { WebhookContext } from '../webhooks/context.ts'

export type WorkflowContext = RecordContext & ReportContext & WebhookContext
