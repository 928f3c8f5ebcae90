// undici's pools of connections, where each request knows which connection it uses.
import { Agent, Client, type Dispatcher, Pool } from 'undici'
import { type Connection, type ConnectRules, createConnect, newConnection } from './connect.ts'
import { Exchange } from './exchange.ts'

class TrackedClient extends Client {
  readonly #connection: Connection

  constructor(origin: URL, options: Client.Options, rules: ConnectRules) {
    const connection = newConnection()
    super(origin, { ...options, connect: createConnect(rules, connection) })
    this.#connection = connection
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.takenBy(this.#connection)
    return super.dispatch(options, handler)
  }
}

const HEADER_BYTES_MAX = 16 * 1024
// Less than the 5 s after which Node's own servers close a connection.
const IDLE_MS = 4000

/** No redirects, no proxy, no decompression: undici does none of it by itself. */
export function createAgent(rules: ConnectRules): Agent {
  const options: Pool.Options = {
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // One timer of ours covers the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, clientOptions) => new TrackedClient(origin, clientOptions, rules),
  }
  return new Agent({ factory: (origin) => new Pool(origin, options) })
}
