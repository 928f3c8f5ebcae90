// An organization is told that one of its endpoints was disabled, and why.
import { defineJob } from '../jobs/queue.ts'

export const TELL_DISABLED = defineJob<{ org: number; endpoint: string }>('webhooks.tell-disabled')
