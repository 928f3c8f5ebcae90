// Uploads that went directly to the bucket: asks the storage what arrived, then records or deletes the file.
import { AppError } from '../base/errors.ts'
import { HEAD_BYTES, isShown, matches, OPAQUE, readContentType } from './content-type.ts'
import type { FileContext } from './context.ts'
import { fileTooLarge, takeIn } from './service.ts'
import type { S3Storage, StoreObject } from './storage.ts'
import { deleteFile, type FileRow, lockFile, type StoredFacts } from './store.ts'

/** The first bytes of an object, at most HEAD_BYTES. */
async function readHead(store: S3Storage, key: string, { etag, size }: StoreObject): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0)
  const range = { start: 0, end: Math.min(size, HEAD_BYTES) - 1 }
  const stream = await store.get({ key, etag }, range)
  return stream ? Buffer.concat(await stream.toArray()) : Buffer.alloc(0)
}

/** The declared type of an object; OPAQUE if browsers would show this type and the content does not match it. */
async function typeOf(store: S3Storage, key: string, object: StoreObject): Promise<string> {
  const type = readContentType(object.contentType) ?? OPAQUE
  if (!isShown(type)) return type
  return matches(type, await readHead(store, key, object)) ? type : OPAQUE
}

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500

/** Locks the row, then records the file as stored. A concurrent call finds it stored. */
const take = (ctx: FileContext, file: FileRow, facts: StoredFacts): Promise<FileRow | undefined> =>
  ctx.db.transaction(async (tx) => {
    const locked = await lockFile(tx, file)
    if (locked?.state !== 'waiting') return locked
    await takeIn(ctx, tx, locked, facts)
    return lockFile(tx, file)
  })

/** Deletes the bytes first: if the process ends before it deletes the row, the row still has their key. */
export async function removeFile(
  { db, files }: Pick<FileContext, 'db' | 'files'>,
  file: FileRow,
): Promise<void> {
  await files.delete(file.key)
  await db.transaction((tx) => deleteFile(tx, file))
}

/**
 * Records the upload of a waiting file.
 * @returns undefined if nothing was uploaded, or the upload was rejected and deleted
 * @throws 503 unavailable
 */
export async function confirmUpload(
  ctx: FileContext,
  store: S3Storage,
  file: FileRow,
): Promise<FileRow | undefined> {
  const object = await store.head(file.key)
  if (!object) return undefined
  const { fileBytesMax } = ctx.config
  try {
    if (object.size > fileBytesMax) throw fileTooLarge(fileBytesMax)
    const contentType = await typeOf(store, file.key, object)
    return await take(ctx, file, { size: object.size, contentType, etag: object.etag })
  } catch (error) {
    if (!isRefusal(error)) throw error
    ctx.log.warn({ file: file.id, why: error.message }, 'an uploaded file disappeared')
    await removeFile(ctx, file)
    return undefined
  }
}
