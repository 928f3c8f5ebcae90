// An upload to a signed address of the service: it is checked, counted as it arrives, and stored completely or not.
//
// The file's row decides: under its lock, the row becomes stored and the bytes get their final name. Bytes without such
// a row belong to no file and are removed later. Paths and keys consist of ids, and contain no name from a request.
import type { Readable } from 'node:stream'
import type { StoredFile } from '../../contract/files.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import { isForm, isSameType, matches, readContentType } from './content-type.ts'
import type { FileContext } from './context.ts'
import { copyUpload } from './copy-upload.ts'
import { countArriving } from './quota.ts'
import { fileExists, fileTooLarge, takeIn, toStoredFile } from './service.ts'
import type { DiskStorage, FileDraft } from './storage.ts'
import { type FileRow, findSigned, lockFile, type StoredFacts } from './store.ts'

/** The data of a signed address of the service. */
export interface SignedAddress {
  organizationId: string
  fileId: string
  expires: number
  contentType: string | undefined
  size: number | undefined
  signature: string
}

export interface Incoming {
  contentType: string | undefined
  contentEncoding: string | undefined
  /** undefined if only the end of the body shows the length. */
  contentLength: number | undefined
  source: Readable
}

function requireSigned(ctx: FileContext, disk: DiskStorage, { signature, ...address }: SignedAddress): void {
  if (!disk.isSigned(address, signature))
    throw new AppError('invalid_signature', 'This upload URL is not valid: request a new one')
  if (address.expires * 1000 <= ctx.clock.now().getTime())
    throw new AppError('upload_expired', 'This upload URL has expired: request a new one')
}

const refusedType = (message: string) => new AppError('unsupported_media_type', message)

/** @returns the type to store @throws 415 unsupported_media_type */
function requireType(
  { contentType: wanted }: SignedAddress,
  { contentType, contentEncoding }: Incoming,
): string {
  const type = readContentType(contentType ?? '')
  if (type === undefined) throw refusedType('Send the file with its Content-Type, such as image/png')
  if (isForm(type))
    throw refusedType('Send the file itself as the body, not a form, with its own Content-Type')
  if (wanted !== undefined && !isSameType(type, wanted))
    throw refusedType(`This upload URL is for another type: send Content-Type: ${wanted}`)
  if ((contentEncoding ?? 'identity').toLowerCase() !== 'identity')
    throw refusedType('Send the file as it is, without Content-Encoding')
  return type
}

const wrongSize = (size: number) =>
  invalidField(
    'size',
    'size',
    `must be ${size}, the size that this upload URL is for: send a file of that size`,
  )

/** Checks Content-Length, if any, before the body is read. @throws 413 payload_too_large, 400 validation_error */
function requireLength(bytesMax: number, { size }: SignedAddress, { contentLength }: Incoming): void {
  if (contentLength === undefined) return
  if (contentLength > bytesMax) throw fileTooLarge(bytesMax)
  if (size !== undefined && contentLength !== size) throw wrongSize(size)
}

interface Published {
  disk: DiskStorage
  draft: FileDraft
  facts: StoredFacts
}

/** The lock of the row decides: of two concurrent uploads, the second waits here, and finds the file of the first. */
const publish = (ctx: FileContext, file: FileRow, { disk, draft, facts }: Published): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const locked = await lockFile(tx, file)
    if (!locked) throw notFound('upload any more', 'request a new upload URL')
    if (locked.state === 'stored') throw fileExists(locked)
    // Before the file is counted: from then on all other uploads of the organization wait, but not for the disk.
    await draft.publish(locked.key)
    await takeIn(ctx, tx, locked, facts).catch(async (error: unknown) => {
      if (error instanceof AppError) await disk.delete(locked.key)
      throw error
    })
  })

/** The content to store, and what is known about it. */
interface Contents {
  source: Readable
  contentType: string
  /** The size that the content must have; undefined for any. */
  size?: number | undefined
}

/**
 * Stores a waiting file, without keeping all of it in memory. After a failure, no bytes of it are left.
 * @throws 400 validation_error, 404, 409 file_exists, 409 storage_full, 413, 415, 503
 */
export async function storeFile(
  ctx: FileContext,
  disk: DiskStorage,
  file: FileRow,
  { source, contentType, size: wanted }: Contents,
): Promise<StoredFile> {
  const arriving = await countArriving(ctx, file.org, wanted)
  const draft = await disk.draft(wanted)
  try {
    const bounds = { bytesMax: ctx.config.fileBytesMax, count: arriving.add }
    const { size, head } = await copyUpload(draft, source, bounds)
    if (wanted !== undefined && size !== wanted) throw wrongSize(wanted)
    if (!matches(contentType, head))
      throw refusedType(`The content of the file is not of type ${contentType}: send it with its own type`)
    const facts = { size, contentType, etag: null }
    await publish(ctx, file, { disk, draft, facts })
    return toStoredFile(ctx, file, facts)
  } finally {
    await draft.discard()
    arriving.end()
  }
}

/** Answers a PUT to a signed address. @throws as storeFile, and 403 invalid_signature, 403 upload_expired */
export async function receiveUpload(
  ctx: FileContext,
  address: SignedAddress,
  incoming: Incoming,
): Promise<StoredFile> {
  const { files, config } = ctx
  if (files.kind !== 'disk') throw notFound('route', 'send files to the bucket directly, at the signedUrl')
  requireSigned(ctx, files, address)
  const contentType = requireType(address, incoming)
  requireLength(config.fileBytesMax, address, incoming)
  const file = await findSigned(ctx.db, address.organizationId, address.fileId)
  if (!file) throw notFound('upload any more', 'request a new upload URL')
  if (file.state === 'stored') throw fileExists(file)
  return storeFile(ctx, files, file, { source: incoming.source, contentType, size: address.size })
}
