// Beside the embedded server, in the process that started it: keeps the reserve, and on a full disk has PostgreSQL write
// checkpoints, after which it writes its log into files that are there.
import type { Logger } from 'pino'
import { withClient } from '../db/database.ts'
import { openFolder } from '../db/embedded/folder.ts'
import { type ReserveFacts, reservedBytes, reserveTarget, setReserve } from '../db/embedded/reserve.ts'
import type { EmbeddedServer } from '../db/embedded.ts'
import { startLoop } from '../jobs/loop.ts'
import { type Fill, judgeFill, limitsOf } from './judge.ts'
import { sizeText } from './size-text.ts'
import { type DiskConfig, measureSpace } from './volumes.ts'

interface KeeperOptions {
  config: DiskConfig & { diskReserveBytes: number }
  log: Logger
  server: Pick<EmbeddedServer, 'administration'>
}

const LOOK_MS = 500
const CHECKPOINT_EVERY_MS = 60_000

async function checkpoint({ server }: KeeperOptions): Promise<void> {
  await withClient(server.administration('postgres'), (client) => client.query('checkpoint'))
}

async function keepReserve(
  { config, log }: KeeperOptions,
  run: string,
  facts: Pick<ReserveFacts, 'freeBytes' | 'resumeBytes'>,
): Promise<void> {
  const heldBytes = await reservedBytes({ run })
  const target = reserveTarget({ ...facts, heldBytes, wantedBytes: config.diskReserveBytes })
  if (target === heldBytes) return
  await setReserve({ run }, target)
  const sizes = { folder: run, bytes: sizeText(target) }
  if (target < heldBytes) log.warn(sizes, 'the disk is full: a part of the reserve is given up')
  else log.info(sizes, 'the reserve for a full disk is kept')
}

/** @returns ends it; the reserve stays */
export function keepDiskUsable(options: KeeperOptions): () => Promise<void> {
  const { config, log } = options
  let fill: Fill = 'enough'
  let checkpointAt = 0
  let run: string | undefined
  const round = async () => {
    const { freeBytes, sizeBytes } = await measureSpace(config.dataDir)
    const limits = limitsOf(sizeBytes, config.diskFreeMinBytes)
    fill = judgeFill(fill, freeBytes, limits)
    run ??= (await openFolder(config.dataDir)).run
    await keepReserve(options, run, { freeBytes, resumeBytes: limits.resumeBytes })
    if (fill === 'full' && performance.now() >= checkpointAt) {
      checkpointAt = performance.now() + CHECKPOINT_EVERY_MS
      await checkpoint(options)
    }
    return false
  }
  const loop = startLoop({
    round,
    pollMs: LOOK_MS,
    onError: (err) => log.debug({ err }, 'the reserve or a checkpoint is tried again'),
  })
  return () => loop.stop()
}
