// Runs in the process that started the embedded server. Keeps the reserve on the disk. On a full disk, it requests
// checkpoints, after which PostgreSQL reuses existing files for its log.
import type { Logger } from 'pino'
import { sizeText } from '../base/size-text.ts'
import { withClient } from '../db/database.ts'
import { checkAgainMs, type Fill, limitsOf } from '../db/disk-space/judge.ts'
import {
  type DiskConfig,
  databaseVolumesOf,
  type MeasuredVolume,
  type MeasureSpace,
  measureSpace,
  measureVolume,
} from '../db/disk-space/volumes.ts'
import { openFolder } from '../db/embedded/folder.ts'
import { type ReserveFacts, reservedBytes, reserveTarget, setReserve } from '../db/embedded/reserve.ts'
import type { EmbeddedServer } from '../db/embedded.ts'
import { startLoop } from '../jobs/loop.ts'

interface KeeperOptions {
  config: DiskConfig & { diskReserveBytes: number }
  log: Logger
  server: Pick<EmbeddedServer, 'administration'>
  measure?: MeasureSpace
}

const LOOK_MS = 500
const CHECKPOINT_EVERY_MS = 60_000

async function checkpoint({ server }: KeeperOptions): Promise<void> {
  await withClient(server.administration('postgres'), (client) => client.query('checkpoint'))
}

/** @returns a function that adjusts the size of the reserve */
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

/** @returns a function that measures the disks of the database and of its log */
function volumeMeter({ config, measure = measureSpace }: KeeperOptions): () => Promise<MeasuredVolume[]> {
  const fills = new Map<string, Fill>()
  const { diskFreeMinBytes: minBytes } = config
  return async () => {
    const measured: MeasuredVolume[] = []
    for (const volume of databaseVolumesOf(config)) {
      const before = fills.get(volume.name) ?? 'enough'
      const one = await measureVolume(volume, { minBytes, before, measure })
      fills.set(volume.name, one.fill)
      measured.push(one)
    }
    return measured
  }
}

/** @returns a function that stops it; the reserve stays on the disk */
export function keepDiskUsable(options: KeeperOptions): () => Promise<void> {
  const { config, log, measure = measureSpace } = options
  let checkpointAt = 0
  /** Rounds until the next check, while no disk is nearly full. */
  let skippedRounds = 0
  let run: string | undefined
  const keepReserve = reserveKeeper(options)
  const measureVolumes = volumeMeter(options)
  const checkpointWhenDue = async () => {
    if (performance.now() < checkpointAt) return
    checkpointAt = performance.now() + CHECKPOINT_EVERY_MS
    await checkpoint(options)
  }
  const check = async () => {
    const { freeBytes, sizeBytes } = await measure(config.dataDir)
    const limits = limitsOf(sizeBytes, config.diskFreeMinBytes)
    run ??= (await openFolder(config.dataDir)).run
    try {
      await keepReserve(run, { freeBytes, resumeBytes: limits.resumeBytes })
    } finally {
      const volumes = await measureVolumes()
      skippedRounds = Math.floor(checkAgainMs([{ freeBytes, limits }, ...volumes], LOOK_MS) / LOOK_MS) - 1
      if (volumes.some(({ fill }) => fill === 'full')) await checkpointWhenDue()
    }
  }
  const round = async () => {
    if (skippedRounds > 0) skippedRounds--
    else await check()
    return false
  }
  const loop = startLoop({
    round,
    pollMs: LOOK_MS,
    onError: (err) => log.debug({ err }, 'the reserve or a checkpoint is tried again'),
  })
  return () => loop.stop()
}
