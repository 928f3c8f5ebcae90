// Where backups lie: objects under names such as `a/b/c`, in a folder or in an S3 bucket.

export interface ObjectStore {
  /** For operators: the folder or the address of the bucket. */
  readonly where: string
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
