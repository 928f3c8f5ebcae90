import { Webhook } from 'lucide-react'
import type { StepView } from './step-view.ts'

export const sendWebhook: StepView = {
  icon: Webhook,
  title: 'Send webhook event',
  summary: () => 'Send an event to a webhook endpoint',
}
