// Keeps the server running: restarts a server that ended by itself, unless that happens too often.
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../base/message-of.ts'
import type { ServerProcess } from './server.ts'

interface SuperviseOptions {
  /** Starts another server after the last one has ended. @throws if it cannot be started */
  start: () => Promise<ServerProcess>
  /** Receives single lines for the operator. */
  onNotice: (line: string) => void
  /** Whether the disk has enough space for a start. */
  hasSpace?: () => Promise<boolean>
  now?: () => number
  /** The pause between two checks for space. */
  lookMs?: number
}

export interface Supervised {
  /** Resolves with the reason when the server was stopped, or has ended too often to be restarted. */
  ended: Promise<string>
  /** Ends the server that runs or is starting. */
  stop(): Promise<void>
}

/** A server that ends this often within a minute is not restarted, unless it lacked space. */
const ENDS_MAX = 5
const WINDOW_MS = 60_000
const FIRST_PAUSE_MS = 500
const LOOK_MS = 1000

/** The first restart is immediate, the next ones follow after 0.5, 1 and 2 s. */
const pauseMs = (ends: number) => (ends <= 1 ? 0 : FIRST_PAUSE_MS * 2 ** (ends - 2))

const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined)

type SpaceOptions = Pick<SuperviseOptions, 'hasSpace' | 'lookMs' | 'onNotice'>

/**
 * Waits until there is space, without a time limit: without space a server would end again.
 * @returns whether space was missing
 */
async function waitForSpace(
  { hasSpace = async () => true, lookMs = LOOK_MS, onNotice }: SpaceOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const isFull = async () => !signal.aborted && !(await hasSpace().catch(() => true))
  if (!(await isFull())) return false
  onNotice('PostgreSQL cannot start again: its disk is full. It starts when there is space: free some')
  do {
    await pause(lookMs, signal)
  } while (await isFull())
  return true
}

export function supervise(first: ServerProcess, options: SuperviseOptions): Supervised {
  const { start, onNotice, now = () => performance.now() } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let server: ServerProcess | undefined = first
  let ends: number[] = []

  /** @returns how the server ended, or why it could not be started */
  const next = async (): Promise<string> => {
    try {
      server = await start()
      onNotice('PostgreSQL is running again')
      if (signal.aborted) void server.stop()
      return await server.exited
    } catch (error) {
      return messageOf(error)
    }
  }
  const keepRunning = async (): Promise<string> => {
    let how = await first.exited
    for (;;) {
      server = undefined
      if (await waitForSpace(options, signal)) ends = []
      if (signal.aborted) return how
      ends = [...ends.filter((at) => now() - at < WINDOW_MS), now()]
      if (ends.length >= ENDS_MAX) return `${ENDS_MAX} times within a minute, the last time: ${how}`
      onNotice(`PostgreSQL stopped unexpectedly (${how}): it is being restarted`)
      await pause(pauseMs(ends.length), signal)
      if (signal.aborted) return how
      how = await next()
    }
  }
  const ended = keepRunning()
  return {
    ended,
    async stop() {
      stopping.abort()
      await server?.stop()
      await ended
    },
  }
}
