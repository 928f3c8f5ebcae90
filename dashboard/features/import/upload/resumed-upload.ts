// Uploads a file that an interruption does not end: it continues at the offset that the service has received.
import { hasCode, isTransient } from '../../../shared/api/errors.ts'

const FIRST_PAUSE_MS = 1000
const PAUSE_MAX_MS = 30_000
/** Attempts without progress, which take three minutes together. */
const TRIES_MAX = 10

/** Requests of an upload. */
export interface UploadRequests<Result> {
  /** Sends the rest of the file from the offset on. */
  send(offset: number): Promise<Result>
  /** How many bytes the service has received. */
  received(): Promise<{ offset: number; isComplete: boolean }>
  /** Reads the result of an upload whose response was lost. */
  result(): Promise<Result>
}

export interface Pausing {
  /** Called with true before a pause, and with false when the upload continues. */
  onPause(isPaused: boolean): void
  pause(ms: number, signal: AbortSignal): Promise<void>
  signal: AbortSignal
}

/** @throws the reason of `signal` when it is aborted */
export const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })

const pauseAfter = (tries: number): number => Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))

const canContinue = (error: unknown): boolean => isTransient(error) || hasCode(error, 'wrong_offset')

/**
 * Pauses longer after each attempt without progress. After some attempts the last error is thrown.
 * @throws what the requests throw, if it is not transient; the reason of `signal` when it is aborted
 */
export async function uploadResumed<Result>(
  requests: UploadRequests<Result>,
  { onPause, pause, signal }: Pausing,
): Promise<Result> {
  let offset = 0
  for (let tries = 1; ; tries++) {
    try {
      const state = tries === 1 && offset === 0 ? { offset, isComplete: false } : await requests.received()
      if (state.isComplete) return await requests.result()
      if (state.offset > offset) tries = 1
      offset = state.offset
      onPause(false)
      return await requests.send(offset)
    } catch (error) {
      if (signal.aborted || !canContinue(error) || tries >= TRIES_MAX) throw error
      onPause(true)
      await pause(pauseAfter(tries), signal)
    }
  }
}
