// PostgreSQL's own base backup over the replication protocol. The server reads its files, checks the checksum of each
// page, and sends one tar archive, while other sessions continue to write.
// https://www.postgresql.org/docs/18/protocol-replication.html#PROTOCOL-REPLICATION-BASE-BACKUP
import pg, { type Connection } from 'pg'
import { parseLsn } from './lsn.ts'
import { BackupError } from './object-store.ts'

export interface BaseBackup {
  /** The archive; it must be read to its end before `end`. */
  stream: AsyncIterable<Buffer>
  start: { lsn: bigint; timeline: number }
  /** An estimate. */
  totalBytes: number
  /** @returns the end of the log that is needed to use the backup */
  end(): Promise<bigint>
  /** Ends the connection, and with it a backup that is under way. */
  close(): Promise<void>
}

/** How much is buffered before the archive is read. */
const QUEUE_BYTES = 4 * 1024 * 1024

const [NEW_ARCHIVE, DATA] = ['n', 'd'].map((letter) => letter.charCodeAt(0))

/** Receives the messages of the one command, as `pg` passes them on. */
class Receiver {
  readonly rows: string[][] = []
  private queue: Buffer[] = []
  private queued = 0
  private error: Error | undefined
  private isOver = false
  private archives = 0
  private changed = Promise.withResolvers<void>()
  private connection: Connection | undefined

  private readonly command: string

  constructor(command: string) {
    this.command = command
  }

  submit(connection: Connection): void {
    this.connection = connection
    connection.query(this.command)
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}

  handleDataRow({ fields }: { fields: string[] }): void {
    this.rows.push(fields)
    this.wake()
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk[0] === NEW_ARCHIVE && ++this.archives > 1)
      this.error = new BackupError(
        'Tablespaces are not supported, and the database has one: move its tables out of it',
      )
    if (chunk[0] !== DATA) return
    // Copied, because the parser reuses its memory.
    this.queue.push(Buffer.from(chunk.subarray(1)))
    this.queued += chunk.length
    if (this.queued > QUEUE_BYTES) this.connection?.stream.pause()
    this.wake()
  }

  handleReadyForQuery(): void {
    this.isOver = true
    this.wake()
  }

  handleError(error: Error): void {
    this.error = error
    this.wake()
  }

  private wake(): void {
    this.changed.resolve()
    this.changed = Promise.withResolvers<void>()
  }

  /** Waits for the next message. */
  private async next(): Promise<void> {
    if (this.error) throw this.error
    await this.changed.promise
    if (this.error) throw this.error
  }

  /** Waits until that many rows have come. */
  async rowsUntil(count: number): Promise<void> {
    while (this.rows.length < count && !this.isOver) await this.next()
    if (this.error) throw this.error
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      while (this.queue.length === 0 && !this.isOver) await this.next()
      const pieces = this.queue.splice(0)
      if (pieces.length === 0) return
      this.queued = 0
      this.connection?.stream.resume()
      yield* pieces
    }
  }
}

/**
 * Starts a base backup. The server makes a checkpoint first.
 * @param connection of a role with the right to replicate
 * @param signal ends the connection, and with it the backup
 */
export async function startBaseBackup(
  connection: pg.ClientConfig,
  label: string,
  signal: AbortSignal,
): Promise<BaseBackup> {
  const client = new pg.Client({ ...connection, replication: 'true' } as pg.ClientConfig)
  const receiver = new Receiver(
    `BASE_BACKUP (LABEL '${label}', CHECKPOINT 'fast', WAIT false, PROGRESS true, MANIFEST 'no')`,
  )
  const breakOff = () => receiver.handleError(signal.reason)
  client.on('error', (error) => receiver.handleError(error))
  await client.connect()
  const close = async () => {
    signal.removeEventListener('abort', breakOff)
    // An orderly end would wait for the whole archive.
    client.connection.stream.destroy()
  }
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', breakOff)
    client.query(receiver)
    // The first row is the start, the second lists tablespaces with their sizes in kB.
    await receiver.rowsUntil(2)
    const [[startLsn = '', timeline = ''] = [], [, , kilobytes = '0'] = []] = receiver.rows
    return {
      stream: receiver.pieces(),
      start: { lsn: parseLsn(startLsn), timeline: Number(timeline) },
      totalBytes: Number(kilobytes) * 1024,
      async end() {
        await receiver.rowsUntil(3)
        return parseLsn(receiver.rows.at(-1)?.[0] ?? '')
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
