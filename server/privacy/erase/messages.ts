// Erases messages of workflows that are kept for the operator if no mail server is configured.
import { deleteMailOf, MAIL_TEXTS } from '../../mail/store.ts'
import { hasMarker } from '../matching.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep, ErasureWork } from './step.ts'

/** Messages are in the directory's database, which may be another database. */
const before = ({ ctx, erasure, markers }: ErasureWork): Promise<number> =>
  deleteMailOf(ctx.directory, erasure.author.orgId, hasMarker(markers, { texts: MAIL_TEXTS }))

const batch = async (_work: ErasureBatchWork, messages: number): Promise<ErasureBatch> => ({
  isDone: true,
  counts: { messages },
})

export const messages: ErasureStep<number> = { name: 'messages', before, batch }
