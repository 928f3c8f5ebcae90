// The parts of the service that attachments use.
import type { FileContext } from '../files/context.ts'
import type { RecordContext } from '../records/context.ts'

export type AttachmentContext = FileContext & RecordContext
