// Copies changes of the directory to cells in the background: changes that a request could not copy, and changes by
// other programs. Requests copy their own changes before they answer (entry/dashboard-api.ts).
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

const EVERY_MS = 1000

interface Copier {
  start(): void
  stop(): Promise<void>
}

/** Logs the first of several failures, and the first success after them. */
function tolerant(log: Logger, message: string, work: () => Promise<void>): () => Promise<void> {
  let hasFailed = false
  return async () => {
    try {
      await work()
      if (hasFailed) log.info(`over: ${message}`)
      hasFailed = false
    } catch (err) {
      if (!hasFailed) log.warn({ err }, message)
      hasFailed = true
    }
  }
}

/**
 * @param catchUp copies to every cell
 * @param refresh opens cells that were added since the last call
 * @param settle finishes or reopens moves whose command was killed
 */
export function createCopier(
  log: Logger,
  {
    catchUp,
    refresh,
    settle,
  }: { catchUp(): Promise<void>; refresh(): Promise<void>; settle(): Promise<void> },
): Copier {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> = Promise.resolve()
  const turns = [
    tolerant(log, 'a cell that was added cannot be opened', refresh),
    tolerant(log, 'changes of members were not copied to cells yet', catchUp),
    tolerant(log, 'a move of an organization could not be settled yet', settle),
  ]
  const run = async () => {
    while (!signal.aborted) {
      for (const turn of turns) await turn()
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return {
    start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
