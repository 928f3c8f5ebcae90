// Stores an uploaded file in the database in pieces, and surveys its content.
import type { ImportUpload } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import { requireFileRoom } from '../files/quota.ts'
import { isStorable, NOT_STORABLE } from '../http/storable.ts'
import { requireActive } from '../records/read/record-of.ts'
import type { ImportContext } from './context.ts'
import { decodeText, type Encoding, EncodingWatch, unreadable } from './csv/encoding.ts'
import { encodingOf } from './csv/open.ts'
import { surveyFile } from './csv/survey.ts'
import { withReadingPlace } from './reading-places.ts'
import { refOf } from './service.ts'
import {
  deleteImport,
  findUpload,
  finishUpload,
  type ImportRef,
  insertChunk,
  insertImport,
  readChunks,
  removeUpload,
  type StoredUpload,
} from './store.ts'

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

/** Bytes that were received, in this number of chunks. */
type Received = Pick<StoredUpload, 'offset' | 'chunks'>

const NOTHING: Received = { offset: 0, chunks: 0 }

function requireSize({ config }: ImportContext, bytes: number): void {
  if (bytes <= config.importMaxBytes) return
  throw new AppError(
    'payload_too_large',
    `The file has more than ${config.importMaxBytes} bytes: split it, and import the parts`,
  )
}

const wrongOffset = (offset: number) =>
  new AppError('wrong_offset', `${offset} bytes of the file have arrived: send those after them`, { offset })

/**
 * Stores the rest of a file.
 * @returns the encoding, undefined if a part of the file was received before
 * @throws 400 validation_error, 409 storage_full, wrong_offset, 413 payload_too_large
 */
async function store(
  ctx: ImportContext,
  ref: ImportRef,
  { offset: first, chunks }: Received,
  source: AsyncIterable<Buffer>,
): Promise<{ bytes: number; encoding: Encoding | undefined }> {
  const watch = new EncodingWatch()
  let offset = first
  let place = chunks
  for await (const bytes of inPieces(source)) {
    requireSize(ctx, offset + bytes.length)
    if (ctx.diskSpace.refusal) throw ctx.diskSpace.refusal
    await requireFileRoom(ctx, ref.org, bytes.length)
    watch.see(bytes)
    if (!(await insertChunk(ctx.db, ref, { place: place++, offset, bytes }))) throw wrongOffset(offset)
    offset += bytes.length
  }
  if (offset === 0) throw unreadable('The file is empty: choose one with a header and rows')
  return { bytes: offset, encoding: first === 0 ? watch.result() : undefined }
}

async function receive(
  ctx: ImportContext,
  ref: ImportRef,
  received: Received,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const { bytes, encoding: seen } = await store(ctx, ref, received, source)
  const read = () => readChunks(ctx.db, ref)
  await withReadingPlace(ref.org, async () => {
    const encoding = seen ?? (await encodingOf(read()))
    const survey = await surveyFile(decodeText(read(), encoding))
    if (survey.rows === 0) throw unreadable('The file has a header but no rows: choose one with rows')
    await finishUpload(ctx.db, ref, { bytes, encoding, survey })
  })
}

interface NewUpload {
  objectRef: string
  fileName: string
}

/**
 * Begins an upload that can be continued after an interruption.
 * @throws 400 validation_error, 404 not_found, 409 object_inactive
 */
export async function beginUpload(
  ctx: ImportContext,
  caller: Caller,
  { objectRef, fileName }: NewUpload,
): Promise<ImportUpload> {
  if (!isStorable(fileName)) throw invalidField('fileName', 'invalid_text', NOT_STORABLE)
  const model = await ctx.models.get(ctx.db, caller.org, objectRef)
  requireActive(model)
  const ref = { org: caller.org, id: newId() }
  await insertImport(ctx.db, ref, { obj: model.obj, fileName, userId: caller.userId })
  return { importId: ref.id, offset: 0, isComplete: false }
}

async function requireUpload(ctx: ImportContext, caller: Caller, ref: ImportRef): Promise<StoredUpload> {
  const upload = await findUpload(ctx.db, ref, caller.userId)
  if (!upload) throw notFound('import')
  return upload
}

/** @throws 404 not_found */
export async function readUpload(
  ctx: ImportContext,
  caller: Caller,
  importId: string,
): Promise<ImportUpload> {
  const ref = refOf(caller, importId)
  const { offset, isComplete } = await requireUpload(ctx, caller, ref)
  return { importId: ref.id, offset, isComplete }
}

/** Faults of the file, or of its size. After others, such as a lost connection, the upload can be continued. */
const FINAL: ReadonlySet<string> = new Set(['validation_error', 'payload_too_large', 'storage_full'])

/**
 * Receives the rest of a file from `offset` on, never whole in memory. A part that was received before the connection
 * was lost is kept.
 * @returns the id of the import
 * @throws 400 validation_error if the file is not a table, 404 not_found, 409 storage_full, wrong_offset,
 * 413 payload_too_large, 429 rate_limit_exceeded, 503 unavailable
 */
export async function continueUpload(
  ctx: ImportContext,
  caller: Caller,
  importId: string,
  { offset, source }: { offset: number; source: AsyncIterable<Buffer> },
): Promise<string> {
  const ref = refOf(caller, importId)
  const received = await requireUpload(ctx, caller, ref)
  if (received.isComplete || received.offset !== offset) throw wrongOffset(received.offset)
  try {
    await receive(ctx, ref, received, source)
  } catch (error) {
    if (error instanceof AppError && FINAL.has(error.code)) await removeUpload(ctx.db, ref, caller.userId)
    throw error
  }
  return ref.id
}

/**
 * Stores a CSV file for an import, never whole in memory.
 * @returns the id of the import
 * @throws as beginUpload and continueUpload
 */
export async function uploadFile(
  ctx: ImportContext,
  caller: Caller,
  objectRef: string,
  { fileName, source }: { fileName: string; source: AsyncIterable<Buffer> },
): Promise<string> {
  const { importId } = await beginUpload(ctx, caller, { objectRef, fileName })
  const ref = refOf(caller, importId)
  try {
    await receive(ctx, ref, NOTHING, source)
    return ref.id
  } catch (error) {
    await deleteImport(ctx.db, ref)
    throw error
  }
}
