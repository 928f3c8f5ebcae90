// One request and its answer, as undici reports them.
import type { Dispatcher } from 'undici'
import { errorCode } from '../../db/pool.ts'
import type { Connection } from './connect.ts'
import { type EgressFailure, type Explained, explainExchange, NoConnection, seconds } from './failures.ts'

export interface EgressRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute; https, or http too where private addresses are allowed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** From now to the complete answer. */
  timeoutMs: number
  /** Bytes of the answer's body that are read before the connection is closed. */
  responseBytesMax: number
  /** Ends the request early; `send` then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** null: not taken, such as DNS for a connection that was open already. */
export interface EgressTimings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  totalMs: number
}

export interface EgressResponse {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
  isTruncated: boolean
}

export interface EgressOutcome {
  /** The address it connected to; null when it came to none. */
  ip: string | null
  timings: EgressTimings
  /** As far as it came; redirects are answers like any other. */
  response: EgressResponse | null
  /** null: the answer is complete, or was cut at responseBytesMax. */
  failure: EgressFailure | null
  /** What went wrong and what to do, for people; null without a failure. */
  message: string | null
}

const NO_BYTES = Buffer.alloc(0)
const FINAL = 200
/** What undici says when it was asked wrongly, or closed: nothing that the other side did. */
const OURS = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED']

/** In between, what else became of idle connections is heard: the next one is open, or is made. */
const RETRIES_MAX = 2

const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms * 100) / 100)

interface Settle {
  resolve: (outcome: EgressOutcome) => void
  reject: (reason: unknown) => void
}

/**
 * Gets every step from undici, and calls `settle` with how it ended, exactly once. One object with methods, not a chain of
 * closures: thousands are made a second.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: EgressRequest
  readonly #options: Dispatcher.DispatchOptions
  readonly #agent: Pick<Dispatcher, 'dispatch'>
  readonly #settle: Settle
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout
  #connection: Connection | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isReused = false
  #retries = 0
  #isSettled = false
  #firstByteAt: number | null = null
  #status = 0
  #headers: EgressResponse['headers'] = {}
  #chunks: Buffer[] = []
  #size = 0

  constructor(request: EgressRequest, url: URL, agent: Pick<Dispatcher, 'dispatch'>, settle: Settle) {
    this.#request = request
    this.#agent = agent
    this.#settle = settle
    const { method, headers, body } = request
    this.#options = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body: body ?? null,
    }
    this.#timer = setTimeout(expire, request.timeoutMs, this)
  }

  start(): void {
    if (this.#isSettled) return
    this.#controller = undefined
    this.#agent.dispatch(this.#options, this)
  }

  /** The client that takes the request says over which connection. */
  takenBy(connection: Connection): void {
    this.#connection = connection
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Its time was over before the connection was ready: nothing is sent.
    if (this.#isSettled) controller.abort(new Error('too late'))
    if (this.#connection) this.#isReused = ++this.#connection.requests > 1
  }

  onResponseStarted(): void {
    this.#firstByteAt ??= performance.now()
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < FINAL) return
    this.#status = status
    this.#headers = headers as EgressResponse['headers']
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#request.responseBytesMax - this.#size
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.#size += Math.min(chunk.length, room)
    if (chunk.length <= room) return
    this.#end(null, true)
    controller.abort(new Error('enough was read'))
  }

  onResponseEnd(): void {
    this.#end(null)
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#isSettled) return
    if (this.#retries < RETRIES_MAX && this.#isUnsent(error)) this.#retry()
    else if (OURS.includes(errorCode(error) ?? '')) this.fail(error)
    else this.#end(error instanceof NoConnection ? error : explainExchange(error, this.#firstByteAt !== null))
  }

  #retry(): void {
    this.#retries++
    setImmediate(start, this)
  }

  /** No complete answer in time. */
  expire(): void {
    const isFull = this.#status !== 0 && this.#size === this.#request.responseBytesMax
    const message = `no complete response within ${seconds(this.#request.timeoutMs)}: respond first, then do the work`
    this.#end(isFull ? null : { failure: 'timeout', message }, isFull)
    this.#controller?.abort(new Error('out of time'))
  }

  /** Ends it from our side. */
  fail(reason: unknown): void {
    if (this.#isSettled) return
    this.#finish()
    this.#settle.reject(reason)
    this.#controller?.abort(new Error('broken off'))
  }

  /**
   * Whether nothing of the request can have been acted on: a connection that had been idle broke before the
   * request was begun, or the system refused to write to it. Anything later is not certain, and is a failure.
   */
  #isUnsent(error: Error): boolean {
    const code = errorCode(error) ?? ''
    if (this.#controller === undefined) return !(error instanceof NoConnection) && !OURS.includes(code)
    const isWrite = 'syscall' in error && error.syscall === 'write'
    return this.#isReused && isWrite && this.#firstByteAt === null
  }

  #end(failed: Explained | null, isTruncated = false): void {
    if (this.#isSettled) return
    this.#finish()
    this.#settle.resolve({
      ip: this.#connection?.ip ?? null,
      timings: this.#timings(),
      response: this.#response(isTruncated),
      failure: failed?.failure ?? null,
      message: failed?.message ?? null,
    })
  }

  #finish(): void {
    this.#isSettled = true
    clearTimeout(this.#timer)
  }

  #response(isTruncated: boolean): EgressResponse | null {
    if (this.#status === 0) return null
    const [first = NO_BYTES, ...more] = this.#chunks
    const body = more.length === 0 ? first : Buffer.concat(this.#chunks, this.#size)
    return { status: this.#status, headers: this.#headers, body, isTruncated }
  }

  #timings(): EgressTimings {
    const opened = this.#isReused ? undefined : this.#connection
    return {
      dnsMs: rounded(opened?.dnsMs ?? null),
      connectMs: rounded(opened?.connectMs ?? null),
      tlsMs: rounded(opened?.tlsMs ?? null),
      firstByteMs: rounded(this.#firstByteAt && this.#firstByteAt - this.#startedAt),
      totalMs: rounded(performance.now() - this.#startedAt) ?? 0,
    }
  }
}

const start = (exchange: Exchange) => exchange.start()
const expire = (exchange: Exchange) => exchange.expire()
