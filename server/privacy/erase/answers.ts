// Answers kept for an Idempotency-Key: a repeat is told that the record is gone, and does nothing.
import sql from 'sql-template-tag'
import { notFound } from '../../errors.ts'
import { errorBody } from '../../http/render-errors.ts'
import { likePatterns } from '../markers.ts'
import type { Batch, BatchWork, ErasureStep } from './step.ts'

async function batch({ tx, erasure, markers }: BatchWork): Promise<Batch> {
  const patterns = likePatterns(markers)
  const isFound = sql`lower(a.body) like any(${patterns}::text[])`
  const byKey = await tx.run(sql`
    delete from idempotent_answers a where a.org = ${erasure.org} and lower(a.key) like any(${patterns}::text[])`)
  const error = notFound('record')
  const body = JSON.stringify(errorBody(error, erasure.id))
  const byBody = await tx.run(sql`
    update idempotent_answers a set status = ${error.status}, etag = null, body = ${body}
    where a.org = ${erasure.org} and ${isFound} and a.body <> ${body}`)
  return { isDone: true, counts: { answers: byKey + byBody } }
}

export const answers: ErasureStep = { name: 'answers', batch }
