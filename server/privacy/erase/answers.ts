// Erases answers that are kept for an Idempotency-Key: a repeated request then gets not_found and does nothing.
import sql from 'sql-template-tag'
import { notFound } from '../../base/errors.ts'
import { errorBody } from '../../http/render-errors.ts'
import { hasMarker, likePatterns } from '../matching.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

/** The key of an answer about the record may contain any text about the person: then the whole row is deleted. */
async function batch({ tx, erasure, markers }: ErasureBatchWork): Promise<ErasureBatch> {
  const isFound = hasMarker(markers, { json: [sql`a.body`] })
  const isNamed = sql`lower(a.key) like any(${likePatterns(markers.words)}::text[])`
  const byKey = await tx.run(sql`
    delete from idempotent_answers a
    where a.org = ${erasure.org} and (${hasMarker(markers, { texts: [sql`a.key`] })} or (${isNamed} and ${isFound}))`)
  const error = notFound('record')
  const body = JSON.stringify(errorBody(error, erasure.id))
  const byBody = await tx.run(sql`
    update idempotent_answers a set status = ${error.status}, etag = null, body = ${body}
    where a.org = ${erasure.org} and ${isFound} and a.body <> ${body}`)
  return { isDone: true, counts: { answers: byKey + byBody } }
}

export const answers: ErasureStep = { name: 'answers', batch }
