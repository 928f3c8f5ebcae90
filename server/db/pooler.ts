// Support for poolers that assign server sessions per transaction, as PgBouncer does. Session settings are sent with
// each transaction. Cancellations go through the pooler, because it has its own process ids for sessions.
import pg from 'pg'

/** Settings that only affect later transactions, and the corresponding setting of the current transaction. */
const OF_TRANSACTION: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'transaction_read_only',
}

/** Commands for the start of a transaction. The values come from our code and contain no quotes. */
export const localSettings = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set local ${OF_TRANSACTION[name] ?? name} = '${value}'`)
    .join('; ')

/** Properties that the types of pg lack. */
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
 * Cancels the running statement of `client` through a separate connection. Resolves when the pooler has passed the
 * request on.
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
