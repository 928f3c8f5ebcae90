// One request and its response, built from the events of undici.
import type { Dispatcher } from 'undici'
import { errorCode } from '../../db/pool.ts'
import type { Connection } from './connect.ts'
import { type EgressFailure, type Explained, explainExchange, NoConnection, seconds } from './failures.ts'

export interface EgressRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute; https, or also http if private addresses are allowed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** The time limit until the response is complete. */
  timeoutMs: number
  /** How many bytes of the response body are read before the connection is closed. */
  responseBytesMax: number
  /** Ends the request early; `send` then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** null: not measured, such as DNS on a connection that was already open. */
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
  /** The address of the connection; null if there was no connection. */
  ip: string | null
  timings: EgressTimings
  /** The part of the response that arrived. Redirects are not followed. */
  response: EgressResponse | null
  /** null: the response is complete, or was cut at responseBytesMax. */
  failure: EgressFailure | null
  /** The fault and the next step, for users; null without a failure. */
  message: string | null
}

const NO_BYTES = Buffer.alloc(0)
const FINAL = 200
/** Errors of undici after wrong use or after it was closed, which the receiver did not cause. */
const OURS = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED']

/** Between tries, closed idle connections are detected, so the next connection is open or new. */
const RETRIES_MAX = 2

const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms * 100) / 100)

interface Settle {
  resolve: (outcome: EgressOutcome) => void
  reject: (reason: unknown) => void
}

/**
 * Receives the events of undici, and settles exactly once. An object with methods instead of closures, because
 * thousands are made per second.
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

  /** Called by the client that sends the request, with its connection. */
  takenBy(connection: Connection): void {
    this.#connection = connection
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The time was over before the connection was ready: nothing is sent.
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

  /** Ends the exchange when there was no complete response in time. */
  expire(): void {
    const isFull = this.#status !== 0 && this.#size === this.#request.responseBytesMax
    const message = `no complete response within ${seconds(this.#request.timeoutMs)}: respond first, then do the work`
    this.#end(isFull ? null : { failure: 'timeout', message }, isFull)
    this.#controller?.abort(new Error('out of time'))
  }

  /** Ends the exchange from our side. */
  fail(reason: unknown): void {
    if (this.#isSettled) return
    this.#finish()
    this.#settle.reject(reason)
    this.#controller?.abort(new Error('broken off'))
  }

  /**
   * Whether the receiver cannot have processed the request: an idle connection broke before the request began, or the
   * system refused the write. After any later error this is uncertain, so it is a failure.
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
