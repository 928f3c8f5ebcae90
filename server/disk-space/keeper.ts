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

/** @returns makes the reserve as large as it should be */
function reserveKeeper({ config, log }: KeeperOptions) {
  let isHeld = false
  const give = async (folder: string, bytes: number) => {
    try {
      await setReserve({ run: folder }, bytes)
      isHeld = false
    } catch (err) {
      if (!isHeld)
        log.warn({ err, folder }, 'the reserve for a full disk cannot be given up: it is tried again')
      isHeld = true
      throw err
    }
    log.warn({ folder, bytes: sizeText(bytes) }, 'the disk is full: a part of the reserve is given up')
  }
  return async (run: string, facts: Pick<ReserveFacts, 'freeBytes' | 'resumeBytes'>): Promise<void> => {
    const heldBytes = await reservedBytes({ run })
    const target = reserveTarget({ ...facts, heldBytes, wantedBytes: config.diskReserveBytes })
    if (target === heldBytes) return
    if (target < heldBytes) return give(run, target)
    await setReserve({ run }, target)
    log.info({ folder: run, bytes: sizeText(target) }, 'the reserve for a full disk is kept')
  }
}

/** @returns ends it; the reserve stays */
export function keepDiskUsable(options: KeeperOptions): () => Promise<void> {
  const { config, log } = options
  let fill: Fill = 'enough'
  let checkpointAt = 0
  let run: string | undefined
  const keepReserve = reserveKeeper(options)
  const checkpointWhenDue = async () => {
    if (performance.now() < checkpointAt) return
    checkpointAt = performance.now() + CHECKPOINT_EVERY_MS
    await checkpoint(options)
  }
  const round = async () => {
    const { freeBytes, sizeBytes } = await measureSpace(config.dataDir)
    const limits = limitsOf(sizeBytes, config.diskFreeMinBytes)
    fill = judgeFill(fill, freeBytes, limits)
    run ??= (await openFolder(config.dataDir)).run
    try {
      await keepReserve(run, { freeBytes, resumeBytes: limits.resumeBytes })
    } finally {
      if (fill === 'full') await checkpointWhenDue()
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
