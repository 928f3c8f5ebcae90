// Copies changes of the directory to cells in the background: what a request could not copy, and what other programs
// changed. Requests copy their own changes before they answer (http/copy-identity.ts).
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../context.ts'

const EVERY_MS = 1000

interface Copier {
  start(): void
  stop(): Promise<void>
}

/** @param refresh opens cells that were added meanwhile */
export function createCopier(
  { cells, log }: Pick<Context, 'cells' | 'log'>,
  refresh: () => Promise<void>,
): Copier {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> = Promise.resolve()
  let hasFailed = false
  const turn = async () => {
    try {
      await refresh()
      await cells.copy()
      hasFailed = false
    } catch (err) {
      if (!hasFailed) log.warn({ err }, 'changes of members were not copied to cells yet')
      hasFailed = true
    }
  }
  const run = async () => {
    while (!signal.aborted) {
      await turn()
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
