// The store of backups: objects with names such as `a/b/c`, in a folder or in an S3 bucket.
import { hash } from 'node:crypto'

export interface ObjectStore {
  /** The folder or the address of the bucket, for operators. */
  readonly where: string
  /** A folder may be on a disk that is not mounted. */
  readonly kind: 'folder' | 'bucket'
  /** Makes the folder; a bucket must exist. */
  prepare(): Promise<void>
  /**
   * Stores an object completely or not at all. When it resolves, the object is durable.
   * @returns false if `ifAbsent` is set and there is an object of this name, which is kept
   */
  put(name: string, bytes: Buffer, options?: { ifAbsent?: true }): Promise<boolean>
  /** undefined: there is no such object. */
  get(name: string): Promise<Buffer | undefined>
  /** Names that begin with `prefix`, which ends with a slash or is empty; in the order of their characters. */
  list(prefix: string): AsyncIterable<string>
  /** The names below `prefix` up to the next slash, in any order. */
  folders(prefix: string): Promise<string[]>
  /** Resolves also if there is no such object. */
  delete(name: string): Promise<void>
  /** Deletes every object whose name begins with `prefix`, which ends with a slash. */
  deleteAll(prefix: string): Promise<void>
  /** Removes half-written objects that killed processes left more than a day ago. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** A failure that operators can act on; the message is one line. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** A small object in plain text; undefined: there is none, or it is damaged. */
export async function readJson<Value extends object>(
  store: Pick<ObjectStore, 'get'>,
  name: string,
): Promise<Value | undefined> {
  const text = await store.get(name)
  return text && parseChecked(text.toString())
}

function parseChecked<Value extends object>(text: string): Value | undefined {
  try {
    const { checksum, ...value }: { checksum?: string } & Value = JSON.parse(text)
    // Earlier versions stored no checksum.
    const isWhole = checksum === undefined || checksum === hash('sha256', JSON.stringify(value))
    return isWhole ? (value as unknown as Value) : undefined
  } catch {
    return undefined
  }
}

export function putJson(
  store: Pick<ObjectStore, 'put'>,
  name: string,
  value: object,
  options?: { ifAbsent?: true },
): Promise<boolean> {
  const checksum = hash('sha256', JSON.stringify(value))
  return store.put(name, Buffer.from(`${JSON.stringify({ ...value, checksum })}\n`), options)
}
