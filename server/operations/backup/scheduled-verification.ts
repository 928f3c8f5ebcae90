// Restores the newest backup as a separate copy every BACKUP_VERIFY_HOURS, while the archiver continues. Stores the
// result for the doctor, the list of backups and the metrics. With BACKUP_VERIFY_HOURS=0, the metrics show the results of
// `rapport backup verify` on other machines.
import type { Logger } from 'pino'
import { verifyDirOf } from '../../config/backup-config.ts'
import type { Config } from '../../config/config.ts'
import { withAdministration } from './create.ts'
import { describePlace } from './describe.ts'
import { parseLsn } from './lsn.ts'
import { type BackupManifest, listBackups } from './manifest.ts'
import type { BackupMetrics } from './metrics.ts'
import type { BackupSource } from './source.ts'
import type { Vault } from './vault.ts'
import { inCopyFolder, removeCopy, requireWorkFolder } from './verification-folder.ts'
import {
  hasFailed,
  historyOf,
  keepHistory,
  nextVerification,
  RETRY_MS,
  readHistory,
} from './verification-history.ts'
import { requireDiskRoom, whileRoom } from './verification-room.ts'
import { type Verified, verifyBackup } from './verify.ts'
import { readHead } from './wal-archive.ts'

/** Time between two looks at the results of other machines. */
const NOTE_MS = 3600_000

interface VerifierOptions {
  config: Config
  source: BackupSource
  vault: Vault
  log: Logger
  metrics: BackupMetrics
  signal: AbortSignal
}

/** The size of the copy, with its log and its files. */
async function neededBytes({ source, vault }: VerifierOptions, backup: BackupManifest): Promise<number> {
  const { rows } = await withAdministration(source, (client) =>
    client.query<{ bytes: number }>('select sum(pg_database_size(oid))::float8 as bytes from pg_database'),
  )
  const head = await readHead(vault, backup.chain)
  const log = head ? Number(parseLsn(head.lsn) - parseLsn(backup.startLsn)) : 0
  return (rows[0]?.bytes ?? 0) + log + (backup.files?.bytes ?? 0)
}

function report(
  { log }: VerifierOptions,
  { id }: BackupManifest,
  { ok, restored, findings }: Verified,
): void {
  const { until } = restored
  const failed = findings.filter(({ status }) => status === 'fail')
  if (ok) log.info({ backup: id, until }, 'a backup was restored aside and verified')
  else
    log.error({ backup: id, until, failed }, 'a backup has failed its verification: see rapport backup list')
}

/** @throws BackupError if the backup cannot be restored, or there is no space for the copy */
async function verifyNewest(options: VerifierOptions, chain: string): Promise<void> {
  const { backups } = await listBackups(options.vault.store)
  const backup = backups.findLast((one) => one.chain === chain)
  if (backup === undefined) return
  const { config, vault, metrics } = options
  const verifyDir = verifyDirOf(config.backup)
  await requireWorkFolder(verifyDir)
  const room = { folder: verifyDir, minBytes: config.diskFreeMinBytes }
  await requireDiskRoom(room, await neededBytes(options, backup))
  const verified = await whileRoom(room, options.signal, (signal) =>
    inCopyFolder(verifyDir, chain, (folder) =>
      verifyBackup({ config, vault, backup, folder, metrics, to: undefined, signal }),
    ),
  )
  report(options, backup, verified)
}

export class Verifier {
  private readonly options: VerifierOptions
  private running: Promise<void> | undefined
  private planned: { chain: string; at: number } | undefined
  private notedChain: string | undefined
  private noteAfter = 0

  constructor(options: VerifierOptions) {
    this.options = options
  }

  /** To be called first for a chain: removes the copy of a killed process. */
  async removeLeftover(chain: string): Promise<void> {
    const { config, log } = this.options
    await removeCopy(verifyDirOf(config.backup), chain).catch((err: unknown) =>
      log.error({ err }, 'the copy of an earlier verification could not be removed'),
    )
  }

  /** Starts a verification if one is due. */
  async lookAt(chain: string): Promise<void> {
    if (this.options.config.backup.verifyHours === 0) return this.noteOthers(chain)
    if (this.running) return
    const { at } = this.planned?.chain === chain ? this.planned : await this.plan(chain)
    if (Date.now() < at) return
    this.running = this.verify(chain).finally(() => {
      this.running = undefined
    })
  }

  /** Resolves when the running verification has ended. */
  async settled(): Promise<void> {
    await this.running
  }

  /** Nothing if the chain was never verified. */
  private async noteOthers(chain: string): Promise<void> {
    if (this.notedChain === chain && Date.now() < this.noteAfter) return
    const { vault, metrics } = this.options
    const history = await readHistory(vault.store, chain)
    this.notedChain = chain
    this.noteAfter = Date.now() + NOTE_MS
    if (history === undefined) return
    metrics.noteVerification(new Date(history.lastPassedAt ?? history.firstBackupAt))
    metrics.noteGaps('verification', hasFailed(history) ? 1 : 0)
  }

  /** Plans no verification while there is no backup. */
  private async plan(chain: string): Promise<{ at: number }> {
    const { config, vault, metrics } = this.options
    const { backups } = await describePlace(vault)
    const ofChain = backups.filter(({ manifest }) => manifest.chain === chain)
    const history = historyOf(ofChain, await readHistory(vault.store, chain))
    if (history === undefined) return { at: Number.POSITIVE_INFINITY }
    await keepHistory(vault.store, chain, history)
    metrics.noteVerification(new Date(history.lastPassedAt ?? history.firstBackupAt))
    if (hasFailed(history)) metrics.noteGaps('verification', 1)
    this.planned = { chain, at: nextVerification(history, config.backup.verifyHours) }
    return this.planned
  }

  private async verify(chain: string): Promise<void> {
    const { log, signal } = this.options
    try {
      await verifyNewest(this.options, chain)
      this.planned = undefined
    } catch (err) {
      if (signal.aborted) return
      log.error({ err }, 'a backup could not be verified: it is tried again in six hours')
      this.planned = { chain, at: Date.now() + RETRY_MS }
    }
  }
}
