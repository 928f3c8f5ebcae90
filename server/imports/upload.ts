// Stores an uploaded file in the database in pieces, and surveys its content.
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import { requireFileRoom } from '../files/quota.ts'
import { isStorable, NOT_STORABLE } from '../http/storable.ts'
import { requireActive } from '../records/read/record-of.ts'
import type { ImportContext } from './context.ts'
import { decodeText, type Encoding, EncodingWatch, unreadable } from './csv/encoding.ts'
import { surveyFile } from './csv/survey.ts'
import { withReadingPlace } from './reading-places.ts'
import { deleteImport, finishUpload, type ImportRef, insertChunk, insertImport, readChunks } from './store.ts'

const CHUNK_BYTES = 256 * 1024

/** The same bytes in pieces of one size. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    held.push(chunk)
    size += chunk.length
    if (size < CHUNK_BYTES) continue
    const whole = Buffer.concat(held)
    const end = whole.length - (whole.length % CHUNK_BYTES)
    for (let at = 0; at < end; at += CHUNK_BYTES) yield whole.subarray(at, at + CHUNK_BYTES)
    held = [whole.subarray(end)]
    size = whole.length - end
  }
  if (size > 0) yield Buffer.concat(held)
}

/** @throws 400 validation_error, 409 storage_full, 413 payload_too_large */
async function store(
  ctx: ImportContext,
  ref: ImportRef,
  source: AsyncIterable<Buffer>,
): Promise<{ bytes: number; encoding: Encoding }> {
  const { db, config } = ctx
  const watch = new EncodingWatch()
  let bytes = 0
  let place = 0
  for await (const piece of inPieces(source)) {
    bytes += piece.length
    if (bytes > config.importMaxBytes)
      throw new AppError(
        'payload_too_large',
        `The file has more than ${config.importMaxBytes} bytes: split it, and import the parts`,
      )
    if (ctx.diskSpace.refusal) throw ctx.diskSpace.refusal
    await requireFileRoom(ctx, ref.org, piece.length)
    watch.see(piece)
    await insertChunk(db, ref, { place: place++, bytes: piece })
  }
  if (bytes === 0) throw unreadable('The file is empty: choose one with a header and rows')
  return { bytes, encoding: watch.result() }
}

/**
 * Stores a CSV file for an import, never whole in memory.
 * @returns the id of the import
 * @throws 400 validation_error if the file is not a table, 404 not_found, 409 object_inactive, 409 storage_full,
 * 413 payload_too_large, 429 rate_limit_exceeded, 503 unavailable
 */
export async function uploadFile(
  ctx: ImportContext,
  caller: Caller,
  objectRef: string,
  { fileName, source }: { fileName: string; source: AsyncIterable<Buffer> },
): Promise<string> {
  if (!isStorable(fileName)) throw invalidField('fileName', 'invalid_text', NOT_STORABLE)
  const model = await ctx.models.get(ctx.db, caller.org, objectRef)
  requireActive(model)
  const ref = { org: caller.org, id: newId() }
  await insertImport(ctx.db, ref, { obj: model.obj, fileName, userId: caller.userId })
  try {
    const { bytes, encoding } = await store(ctx, ref, source)
    const survey = await withReadingPlace(ref.org, () =>
      surveyFile(decodeText(readChunks(ctx.db, ref), encoding)),
    )
    if (survey.rows === 0) throw unreadable('The file has a header but no rows: choose one with rows')
    await finishUpload(ctx.db, ref, { bytes, encoding, survey })
    return ref.id
  } catch (error) {
    await deleteImport(ctx.db, ref)
    throw error
  }
}
