// Where backups lie: objects under names such as `a/b/c`, in a folder or in an S3 bucket.
import { hash } from 'node:crypto'

export interface ObjectStore {
  /** For operators: the folder or the address of the bucket. */
  readonly where: string
  /** A folder may be where a disk is not mounted. */
  readonly kind: 'folder' | 'bucket'
  /** Makes the folder; a bucket must exist. */
  prepare(): Promise<void>
  /**
   * Stores an object wholly or not at all; when it returns, the object is durable.
   * @returns false when `ifAbsent` is asked and there is an object of this name, which is kept
   */
  put(name: string, bytes: Buffer, options?: { ifAbsent?: true }): Promise<boolean>
  /** undefined: there is none. */
  get(name: string): Promise<Buffer | undefined>
  /** Names that begin with `prefix`, which ends with a slash or is empty; in the order of their characters. */
  list(prefix: string): AsyncIterable<string>
  /** The names below `prefix` up to the next slash, in any order. */
  folders(prefix: string): Promise<string[]>
  /** What is not there counts as deleted. */
  delete(name: string): Promise<void>
  /** Deletes every object whose name begins with `prefix`, which ends with a slash. */
  deleteAll(prefix: string): Promise<void>
  /** Removes what processes that were killed while they wrote left behind more than a day ago. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** A failure that operators can act on; the message is one line. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** A small object that is stored in plain text; undefined: there is none, or it is damaged. */
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
    // Earlier versions stored none.
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
