// undici's connection pools, extended so that each request has a reference to its connection.
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
// Less than the 5 s after which Node servers close a connection by default.
const IDLE_MS = 4000

/** Without redirects, proxy and decompression, which undici does not do by default. */
export function createAgent(rules: ConnectRules): Agent {
  const options: Pool.Options = {
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // Exchange has one timer for the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, clientOptions) => new TrackedClient(origin, clientOptions, rules),
  }
  return new Agent({ factory: (origin) => new Pool(origin, options) })
}
