// A stream of text to a client. The next piece is made when the client has read the last one; a client below the
// minimum rate is disconnected.
import { PassThrough } from 'node:stream'

export interface MinRate {
  /** The minimum rate of reading, in bytes per second. */
  bytesPerSecondMin: number
  /** How much longer a piece may wait than the minimum rate allows. */
  stallMs: number
}

export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError'
}

export interface MinRateStream {
  stream: PassThrough
  /** Aborts when the client disconnects, or is cut off. */
  signal: AbortSignal
  /** Resolves when the client can take more text. @throws SlowReaderError, or the signal's reason */
  write(text: string): Promise<void>
  /** How long the last piece has waited for the client; 0 while the next piece is made. */
  readonly waitingMs: number
  /** Disconnects the client. @param reason of a SlowReaderError */
  cutOff(reason: string): void
}

function drained(stream: PassThrough, signal: AbortSignal, waitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal.reason)
  const tooSlow = () =>
    reject(new SlowReaderError(`the client read too slowly for ${Math.round(waitMs / 1000)} s`))
  const timer = setTimeout(tooSlow, waitMs)
  signal.addEventListener('abort', stop, { once: true })
  stream.once('drain', resolve)
  if (signal.aborted) stop()
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stream.off('drain', resolve)
  })
}

export function openMinRateStream({ bytesPerSecondMin, stallMs }: MinRate): MinRateStream {
  const stream = new PassThrough()
  const disconnected = new AbortController()
  stream.on('close', () => disconnected.abort(new Error('the client has disconnected')))
  // The client receives an incomplete file.
  stream.on('error', () => undefined)
  let waitsSince: number | undefined
  return {
    stream,
    signal: disconnected.signal,
    get waitingMs() {
      return waitsSince === undefined ? 0 : performance.now() - waitsSince
    },
    cutOff(reason) {
      disconnected.abort(new SlowReaderError(reason))
      stream.destroy()
    },
    async write(text) {
      disconnected.signal.throwIfAborted()
      const waitMs = stallMs + (Buffer.byteLength(text) / bytesPerSecondMin) * 1000
      waitsSince = performance.now()
      if (!stream.write(text)) await drained(stream, disconnected.signal, waitMs)
      waitsSince = undefined
    },
  }
}
