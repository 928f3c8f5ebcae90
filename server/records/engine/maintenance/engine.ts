// Index maintenance in the background: begins indexes of objects that have become large, backfills and counts them,
// folds changes, flushes pending lists and makes the first statistics. All state is in the database: after a kill the
// next process continues.
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../db/pool.ts'
import { type Loop, startLoop } from '../../../jobs/loop.ts'
import { createBuilding, createDiscovery, type IndexContext } from './build.ts'
import { createFirstStatistics } from './first-statistics.ts'
import { createFolding } from './folding.ts'
import { createPendingListFlush } from './pending-list.ts'

export interface IndexEngine {
  /** Works until stopped. */
  start(): void
  /** Waits for the step in progress, for at most `graceMs`. An interrupted step is repeated later. */
  stop(graceMs: number): Promise<void>
}

const FOLD_MS = 200
const DISCOVERY_MS = 1000
const BUILD_MS = 1000
const FLUSH_MS = 200
const STATISTICS_MS = 500

/** @param queue connections on which PostgreSQL uses only index scans where an index exists */
export function createIndexEngine(ctx: IndexContext, queue: Db): IndexEngine {
  const stopping = new AbortController()
  const { signal } = stopping
  const fold = createFolding(queue)
  const seek = createDiscovery(ctx, queue)
  const build = createBuilding(ctx, queue)
  const onError = (err: unknown) => {
    if (!signal.aborted) ctx.log.error({ err }, 'indexes had an error and continue')
  }
  let loops: Loop[] = []
  return {
    start() {
      loops = [
        startLoop({ round: () => fold(signal), pollMs: FOLD_MS, onError }),
        startLoop({ round: seek, pollMs: DISCOVERY_MS, onError }),
        startLoop({ round: () => build(signal), pollMs: BUILD_MS, onError }),
        startLoop({ round: createPendingListFlush(queue), pollMs: FLUSH_MS, onError }),
        startLoop({ round: createFirstStatistics(queue), pollMs: STATISTICS_MS, onError }),
      ]
    },
    async stop(graceMs) {
      stopping.abort()
      const ended = Promise.all(loops.map((loop) => loop.stop()))
      const grace = new AbortController()
      await Promise.race([ended, delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)])
      grace.abort()
    },
  }
}
