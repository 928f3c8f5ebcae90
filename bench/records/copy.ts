// COPY … FROM STDIN on a separate connection. It uses methods of pg that are missing in its types.
import { once } from 'node:events'
import pg from 'pg'

interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
  query(text: string): void
}

const CHUNK_CHARACTERS = 1 << 17

/** Rows are lines of COPY's text format. */
export class CopyIn implements pg.Submittable {
  readonly #text: string
  readonly #open = Promise.withResolvers<CopyConnection>()
  readonly #done = Promise.withResolvers<void>()
  #lines = ''

  constructor(text: string) {
    this.#text = text
    this.#open.promise.catch(() => undefined)
    this.#done.promise.catch(() => undefined)
  }

  submit(connection: pg.Connection): void {
    ;(connection as CopyConnection).query(this.#text)
  }

  handleCopyInResponse(connection: pg.Connection): void {
    this.#open.resolve(connection as CopyConnection)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#done.resolve()
  }

  handleError(error: Error): void {
    this.#open.reject(error)
    this.#done.reject(error)
  }

  /** Collects lines and sends them in chunks. @throws the error of PostgreSQL about earlier lines */
  write(line: string): Promise<void> | undefined {
    this.#lines += line
    return this.#lines.length < CHUNK_CHARACTERS ? undefined : this.#flush()
  }

  async #flush(): Promise<void> {
    const chunk = Buffer.from(this.#lines)
    this.#lines = ''
    const connection = await this.#open.promise
    connection.sendCopyFromChunk(chunk)
    if (connection.stream.writableNeedDrain)
      await Promise.race([once(connection.stream, 'drain'), this.#done.promise])
  }

  /** Sends the remaining lines and waits until all lines are committed. */
  async end(): Promise<void> {
    await this.#flush()
    const connection = await this.#open.promise
    connection.endCopyFrom()
    await this.#done.promise
  }
}

export interface CopyTable {
  copy: CopyIn
  close(): Promise<void>
}

/** @param target `table (column, …)`, which is not escaped */
export async function openCopy(connection: pg.ClientConfig, target: string): Promise<CopyTable> {
  const client = new pg.Client({ ...connection, options: '-c statement_timeout=0 -c timezone=UTC' })
  client.on('error', () => undefined)
  await client.connect()
  const copy = client.query(new CopyIn(`copy ${target} from stdin`))
  return { copy, close: () => client.end() }
}

/** One value in COPY's text format. */
export const copyText = (value: string | number | boolean | undefined | null): string =>
  value === undefined || value === null
    ? '\\N'
    : typeof value === 'string'
      ? value.replace(/[\\\t\n\r]/g, escaped)
      : String(value)

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (character: string) => ESCAPES[character] ?? character

/** One line of COPY's text format. */
export const copyLine = (values: readonly Parameters<typeof copyText>[0][]): string =>
  `${values.map(copyText).join('\t')}\n`
