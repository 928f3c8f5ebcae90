// Receives the file of a job in pieces, which can be interrupted and resumed.
import type { Problem } from '../../contract/errors.ts'
import { ANOTHER_JOB } from '../../contract/job-tables.ts'
import type { JobUpload } from '../../contract/jobs.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalid, invalidField, notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { requireFileRoom } from '../files/quota.ts'
import { BYTES_BEFORE, type Encoding, Utf8Watch } from '../imports/csv/encoding.ts'
import { encodingOf } from '../imports/csv/open.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { withReadingPlace } from '../imports/reading-places.ts'
import {
  appendChunk,
  findContent,
  findUpload,
  finishContent,
  readContent,
  type StoredContent,
  type StoredUpload,
} from './content-store.ts'
import type { JobsContext } from './context.ts'
import { type CsvHead, checkColumns, mappingOf, readHead } from './csv-columns.ts'
import { kindOf } from './queued.ts'
import { addJobSettings, getJob, getUploaded, type JobRef } from './store.ts'

/** Size of a stored chunk; a batch of rows reads about one chunk. */
const CHUNK_BYTES = 64 * 1024
const LINE_BREAK = 0x0a

const HEADERS = { offset: 'Upload-Offset', complete: 'Upload-Complete' } as const

const INVALID = 'invalid_header'

function refuseHeader(path: string, message: string): AppError {
  return invalid('invalid_parameter', [{ path, code: INVALID, message }])
}

export interface SentPiece {
  offset: number
  isLast: boolean
}

/** @throws 400 invalid_parameter */
export function readPiece(headers: Readonly<Record<string, string | string[] | undefined>>): SentPiece {
  const { 'upload-offset': offset, 'upload-complete': complete } = headers
  if (headers['idempotency-key'] !== undefined)
    throw refuseHeader('Idempotency-Key', 'is not needed here: Upload-Offset makes it safe to repeat a piece')
  if (typeof offset !== 'string' || !/^\d{1,15}$/.test(offset))
    throw refuseHeader(HEADERS.offset, 'must be how many bytes of the file come before this piece, such as 0')
  if (complete !== '?0' && complete !== '?1')
    throw refuseHeader(HEADERS.complete, 'must be ?1 for the last piece of the file, and ?0 for others')
  return { offset: Number(offset), isLast: complete === '?1' }
}

async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const piece of source)
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + CHUNK_BYTES - size)
      held.push(part)
      size += part.length
      at += part.length
      if (size < CHUNK_BYTES) continue
      yield Buffer.concat(held)
      held = []
      size = 0
    }
  if (size > 0) yield Buffer.concat(held)
}

function breaksIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) count++
  return count
}

async function required<Found>(
  { db }: Pick<JobsContext, 'db'>,
  ref: JobRef,
  find: (db: Db, ref: JobRef) => Promise<Found | undefined>,
): Promise<Found> {
  await getJob(db, ref.org, ref.id)
  const found = await find(db, ref)
  if (!found) throw notFound('job')
  return found
}

const requireUpload = (ctx: Pick<JobsContext, 'db'>, ref: JobRef): Promise<StoredUpload> =>
  required(ctx, ref, findUpload)

/** The reason why a piece was refused: another piece has arrived, the job has begun, or the job was cancelled. */
function notTaken({ offset, isComplete }: StoredUpload): AppError {
  if (isComplete)
    return new AppError(
      'wrong_state',
      'The file of this job is complete, or the job was cancelled: create another job for another file',
    )
  return new AppError('wrong_offset', `${offset} bytes of the file have arrived: send those after them`, {
    offset,
  })
}

/** @throws 413 payload_too_large */
export function requireSize(maxBytes: number, offset: number): void {
  if (offset <= maxBytes) return
  throw new AppError(
    'payload_too_large',
    `The file has more than ${maxBytes} bytes: split it, and import the parts`,
    { limitBytes: maxBytes },
  )
}

const refOf = ({ org }: Caller, id: string): JobRef => ({ org, id: id.toLowerCase() })

/** @throws 404 not_found */
export async function readUpload(ctx: JobsContext, caller: Caller, id: string): Promise<JobUpload> {
  return { ...(await requireUpload(ctx, refOf(caller, id))), maxBytes: ctx.config.jobMaxBytes }
}

/** Detects bytes that are not UTF-8 during the upload. Such files are read once more before their job starts. */
function watchOf({ isCsv, hasOtherBytes, lastBytes }: StoredContent): Utf8Watch | undefined {
  return isCsv && !hasOtherBytes ? new Utf8Watch(lastBytes.subarray(-BYTES_BEFORE)) : undefined
}

/**
 * Stores a piece of the file without holding it in memory as a whole. Stored bytes are kept even if the connection
 * ends. The last piece starts the job.
 * @throws 400 validation_error, 404 not_found, 409 storage_full, wrong_offset, wrong_state, 413 payload_too_large
 * @throws 400 validation_error, 404 not_found, 409 storage_full, wrong_offset, wrong_state, 413 payload_too_large
 */
export async function receivePiece(
  ctx: JobsContext,
  caller: Caller,
  id: string,
  { offset: first, isLast, source }: SentPiece & { source: AsyncIterable<Buffer> },
): Promise<JobUpload> {
  const ref = refOf(caller, id)
  const maxBytes = ctx.config.jobMaxBytes
  const before = await required(ctx, ref, findContent)
  if (before.isComplete || before.offset !== first) throw notTaken(before)
  const watch = watchOf(before)
  let offset = first
  for await (const bytes of inChunks(source)) {
    requireSize(maxBytes, offset + bytes.length)
    if (ctx.diskSpace.refusal) throw ctx.diskSpace.refusal
    await requireFileRoom(ctx, ref.org, bytes.length)
    const isOther = watch?.see(bytes) === false
    const isTaken = await appendChunk(ctx.db, ref, { offset, bytes, breaks: breaksIn(bytes), isOther })
    if (!isTaken) throw notTaken(await requireUpload(ctx, ref))
    offset += bytes.length
  }
  if (isLast) await startJob(ctx, caller, ref, { offset, isCut: watch?.end() === false })
  return { offset, isComplete: isLast, maxBytes }
}

interface Table extends CsvHead {
  encoding: Encoding
}

interface Whole {
  /** Size of the file in bytes. */
  offset: number
  /** Whether the last character is incomplete. */
  isCut: boolean
}

/**
 * Reads a file that is not UTF-8 once, in large pieces, to detect its encoding.
 * @throws 400 validation_error, 429 rate_limit_exceeded, 503 unavailable
 */
async function encodingOfFile(
  { db }: Pick<JobsContext, 'db'>,
  ref: JobRef,
  isOther: boolean,
): Promise<Encoding> {
  return isOther ? withReadingPlace(ref.org, () => encodingOf(inChunks(readContent(db, ref)))) : 'utf-8'
}

/** The uploaded bytes of a job cannot be replaced, so a corrected file needs another job. */
function refuseFile(error: unknown): never {
  const errors = error instanceof AppError ? error.details?.['errors'] : undefined
  if (!Array.isArray(errors)) throw error
  throw invalid(
    'validation_error',
    (errors as Problem[]).map((one) => ({ ...one, path: '', message: `${one.message}${ANOTHER_JOB}` })),
  )
}

/**
 * @returns undefined if the file is not a table
 * @throws 400 validation_error, 429 rate_limit_exceeded, 503 unavailable
 */
async function readTable(
  { db }: Pick<JobsContext, 'db'>,
  { country }: Caller,
  ref: JobRef,
  isCut: boolean,
): Promise<Table | undefined> {
  const { settings } = await getUploaded(db, ref)
  if (settings.format !== 'csv') return undefined
  try {
    const encoding = await encodingOfFile({ db }, ref, isCut || settings.hasOtherBytes === true)
    return { ...(await readHead(db, ref, { ...settings, encoding, country })), encoding }
  } catch (error) {
    refuseFile(error)
  }
}

/** Refuses a file with unsuitable columns before anything is written. @throws 400 validation_error */
async function keepTable(ctx: JobsContext, caller: Caller, ref: JobRef, table: Table): Promise<void> {
  const { objectId, settings } = await getUploaded(ctx.db, ref)
  await withCurrentModel(ctx, ref.org, objectId, (model) =>
    checkColumns(ctx, caller, mappingOf(model, table.headers, settings)),
  )
  await addJobSettings(ctx.db, ref, table)
}

async function startJob(
  ctx: JobsContext,
  caller: Caller,
  ref: JobRef,
  { offset, isCut }: Whole,
): Promise<void> {
  if (offset === 0)
    throw invalidField('', 'required', 'must have at least one line: send the bytes of the file')
  const table = await readTable(ctx, caller, ref, isCut)
  await ctx.db.transaction(async (tx) => {
    if (table) await keepTable({ ...ctx, db: tx }, caller, ref, table)
    if (!(await finishContent(tx, ref, offset))) throw notTaken(await requireUpload({ ...ctx, db: tx }, ref))
    const { settings } = await getUploaded(tx, ref)
    await ctx.queue.enqueue(tx, kindOf(settings), ref)
  })
}
