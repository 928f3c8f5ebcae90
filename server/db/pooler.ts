// Behind a pooler that gives out its sessions for one transaction each, as PgBouncer does: what belongs to a session
// goes with each transaction, and a statement is cancelled by the pooler, which has its own numbers for sessions.
import pg from 'pg'

/** Defaults of transactions that begin later: of one that has begun they are other settings. */
const OF_TRANSACTION: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'transaction_read_only',
}

/** Commands at the beginning of a transaction. Values are ours, and contain no quotes. */
export const localSettings = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set local ${OF_TRANSACTION[name] ?? name} = '${value}'`)
    .join('; ')

/** What the types of pg leave out. */
interface Connected {
  host: string
  port: number
  ssl: boolean | object
  processID: number
  secretKey: number
}

interface Line {
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
  on(event: 'connect' | 'sslconnect' | 'end' | 'error', listener: (error?: Error) => void): void
  stream: { setTimeout(ms: number, listener: () => void): void; destroy(error: Error): void }
}

/**
 * Asks for the end of the statement that `client` waits for, on a separate connection. When it is fulfilled, the
 * pooler has passed the request on.
 */
export function cancelByProtocol(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as unknown as Connected
  const line = new pg.Connection({ ssl } as pg.ConnectionConfig) as unknown as Line
  const cancel = () => line.cancel(processID, secretKey)
  return new Promise((resolve, reject) => {
    line.on('connect', () => (ssl ? line.requestSsl() : cancel()))
    line.on('sslconnect', cancel)
    line.on('end', () => resolve())
    line.on('error', reject)
    line.stream.setTimeout(timeoutMs, () => line.stream.destroy(new Error('The pooler does not respond')))
    if (host.startsWith('/')) line.connect(`${host}/.s.PGSQL.${port}`)
    else line.connect(port, host)
  })
}
