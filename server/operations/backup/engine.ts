// Runs as long as the embedded server: archives its log and new files every BACKUP_WAL_SECONDS, and makes backups by
// BACKUP_SCHEDULE. Only the process whose session holds the lock does so.
import { setTimeout as delay } from 'node:timers/promises'
import { Cron } from 'croner'
import pg from 'pg'
import type { Logger } from 'pino'
import { messageOf } from '../../base/message-of.ts'
import type { Config } from '../../config/config.ts'
import type { BaseContext } from '../../db/base-context.ts'
import { DATABASE_NAME } from '../../db/database.ts'
import type { EmbeddedServer } from '../../db/embedded.ts'
import { readDeletionTime } from '../../jobs/deletion-clock.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import { archiveChanges } from './archive-changes.ts'
import { becomeArchiver, type Chain, dropOtherChains, findChain } from './chain.ts'
import { createBackup, inBackupTurn, withAdministration } from './create.ts'
import { findMissing } from './describe.ts'
import { gapText } from './gaps.ts'
import { createKeyArchive, type KeyArchive } from './key-archive.ts'
import { type BackupManifest, bytesOf, listBackups } from './manifest.ts'
import { backupMetrics } from './metrics.ts'
import { openBackups, sourceOf } from './open.ts'
import { openChain } from './open-chain.ts'
import { isMarked } from './place.ts'
import { removeOutdated } from './retention.ts'
import { Verifier } from './scheduled-verification.ts'
import { type BackupSource, clusterOf, databaseTime, filesFolder } from './source.ts'
import { addRecentFiles, syncFiles } from './stored-files.ts'
import type { Vault } from './vault.ts'
import { createWalArchive, type WalArchive } from './wal-archive.ts'

export interface BackupEngine {
  start(): void
  /** Aborts a running backup, of which nothing is kept. */
  stop(): Promise<void>
}

type Service = Pick<BaseContext, 'config' | 'log' | 'db' | 'clock'>

interface Current {
  chain: Chain
  archive: WalArchive
  keys: KeyArchive
  /** The time of the chain's newest backup; undefined: there is none, or it was not read yet. */
  lastBackupAt: Date | undefined
  /** Later changes can be restored only from a new backup. */
  hasGap: boolean
  /** When the last search for new files began, by this machine's clock; undefined: all must be compared first. */
  filesAt: number | undefined
}

const STOP_MS = 3000
/** Delay after a failed backup. */
const RETRY_MS = 10 * 60_000
/** Time between two searches for gaps. */
const GAPS_MS = 3600_000
/** Overlap of two rounds, so that the next round finds a file that appeared during the last one. */
const FILES_OVERLAP_MS = 10_000

/** Whether a backup is due by the schedule since the last one. The first backup is due immediately. */
export const isDue = (schedule: string, last: Date | undefined, now: Date): boolean =>
  last === undefined || (new Cron(schedule, { timezone: 'UTC', paused: true }).nextRun(last) ?? now) <= now

class Engine implements BackupEngine {
  private readonly service: Service
  private readonly config: Config
  private readonly source: BackupSource
  private readonly log: Logger
  private readonly vault: Vault
  private readonly stopping = new AbortController()
  private client: pg.Client | undefined
  private current: Current | undefined
  private loop: Loop | undefined
  private backup: Promise<void> | undefined
  private files: Promise<void> | undefined
  private backupAfter = 0
  private gapsAfter = 0
  private readonly verifier: Verifier
  private lastProblem = ''

  constructor(service: Service, source: BackupSource, vault: Vault) {
    this.service = service
    this.config = service.config
    this.log = service.log
    this.source = source
    this.vault = vault
    const { config, log } = service
    this.verifier = new Verifier({
      ...{ config, source, vault, log, metrics: backupMetrics },
      signal: this.stopping.signal,
    })
  }

  start(): void {
    if (!this.vault.isEncrypted)
      this.log.warn(
        'backups are not encrypted, because BACKUP_KEY is not set: everyone who can read them has all data and the keys of the installation',
      )
    this.loop = startLoop({
      pollMs: this.config.backup.walSeconds * 1000,
      round: () => this.round(),
      onError: (err) => this.log.error({ err }, 'the archiver failed'),
    })
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service stops'))
    // A store that does not answer must not prevent the service from stopping.
    const ended = Promise.all([this.loop?.stop(), this.backup, this.files, this.verifier.settled()])
    await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })])
    await this.client?.end().catch(() => undefined)
    await this.vault.store.close()
  }

  /** Logs a problem when it begins, not in every round. */
  private async round(): Promise<boolean> {
    try {
      await this.archive()
      if (this.lastProblem !== '') this.log.info('changes are archived again')
      this.lastProblem = ''
    } catch (err) {
      const problem = messageOf(err)
      if (!this.stopping.signal.aborted && problem !== this.lastProblem)
        this.log.error({ err }, 'changes are not archived: it is tried again')
      this.lastProblem = problem
    }
    return false
  }

  /** The session with the lock; undefined: another process has the lock. */
  private async connected(): Promise<pg.Client | undefined> {
    if (this.client) return this.client
    const client = new pg.Client({
      ...this.source.administration(DATABASE_NAME),
      application_name: 'rapport backup',
    })
    const forget = () => {
      if (this.client === client) this.client = undefined
    }
    client.on('error', forget).on('end', forget)
    await client.connect()
    if (await becomeArchiver(client)) this.client = client
    else await client.end()
    return this.client
  }

  private async archive(): Promise<void> {
    const client = await this.connected()
    if (client === undefined) return
    backupMetrics.noteArchiver(new Date())
    const current = await this.keepChain(client)
    const { signal } = this.stopping
    const { head, keys } = await archiveChanges(client, current, signal)
    backupMetrics.noteArchive(new Date(head.at))
    await this.lookForGaps(current).catch((err: unknown) => {
      if (!signal.aborted) this.log.error({ err }, 'gaps are not looked for: it is tried again in an hour')
    })
    await this.backUpWhenDue(client, current)
    this.archiveFiles(current)
    await this.verifier.lookAt(current.chain.id)
    if (keys.status === 'rejected') throw keys.reason
  }

  /**
   * Searches for gaps by the names in the store. What this machine still has is stored again where it is missing: files,
   * the key files, and the position with the current segment.
   */
  private async lookForGaps(current: Current): Promise<void> {
    if (current.hasGap || Date.now() < this.gapsAfter) return
    this.gapsAfter = Date.now() + GAPS_MS
    current.filesAt = undefined
    current.keys.lookAgain()
    current.archive.storeAgain()
    const last = await this.lastBackup(current)
    if (last === undefined) return
    const missing = await findMissing(this.vault, last)
    backupMetrics.noteGaps('listing', missing.length)
    if (missing.length === 0) return
    current.hasGap = true
    this.log.error(
      { backup: last.id, missing: gapText(missing) },
      'the last backup cannot be restored to its end: a new one is made, from which later changes can be restored',
    )
  }

  /** Keeps the chain, or begins a new one if it is broken. */
  private async keepChain(client: pg.Client): Promise<Current> {
    // Fails if the disk is no longer mounted, because the marker is missing.
    await isMarked(this.vault.store)
    const { where } = this.vault.store
    if (await dropOtherChains(client, where))
      this.log.error(
        'log was removed before it was archived, since the backup store did not respond for too long: a new backup is made',
      )
    const known = await findChain(client, where)
    if (this.current && this.current.chain.id === known?.id) return this.current
    const { source, vault, log } = this
    const chain = await openChain(client, { source, vault, log })
    const { dataDir, keySettings } = source
    const archive = createWalArchive(vault, chain, clusterOf(dataDir))
    const keys = createKeyArchive(vault, chain.id, { ...keySettings, dataDir }, log)
    this.current = { chain, archive, keys, lastBackupAt: undefined, hasGap: false, filesAt: undefined }
    await this.verifier.removeLeftover(chain.id)
    await this.readLastBackup(this.current)
    return this.current
  }

  private async lastBackup({ chain }: Current): Promise<BackupManifest | undefined> {
    const { backups } = await listBackups(this.vault.store)
    return backups.findLast((backup) => backup.chain === chain.id)
  }

  private async readLastBackup(current: Current): Promise<void> {
    const last = await this.lastBackup(current)
    current.lastBackupAt = last && new Date(last.endedAt)
    if (current.lastBackupAt) backupMetrics.noteBackup(current.lastBackupAt)
  }

  /** Runs in parallel with archiving the log, which must not wait for many or large files. */
  private archiveFiles(current: Current): void {
    if (this.files || !this.source.hasFiles) return
    this.files = this.addFiles(current)
      .catch((err: unknown) => {
        if (!this.stopping.signal.aborted)
          this.log.error({ err }, 'files are not archived: it is tried again')
      })
      .finally(() => {
        this.files = undefined
      })
  }

  private async addFiles(current: Current): Promise<void> {
    const { vault, source } = this
    const { signal } = this.stopping
    const root = filesFolder(source.dataDir)
    const startedAt = Date.now()
    const since = current.filesAt
    // A running backup compares all files itself.
    if (since !== undefined) {
      const window = { since: since - FILES_OVERLAP_MS, signal }
      // An idle installation stores nothing: without new files, nothing is recorded.
      if ((await addRecentFiles(vault, current.chain.id, root, window)) > 0)
        current.archive.noteFiles(new Date(startedAt))
    } else if (!this.backup) {
      await syncFiles(vault, current.chain.id, root, signal)
      current.archive.noteFiles(new Date(startedAt))
    }
    // Otherwise the search for gaps began meanwhile, and the next pass compares all files.
    if (current.filesAt === since) current.filesAt = startedAt
  }

  private async backUpWhenDue(client: pg.Client, current: Current): Promise<void> {
    const now = await databaseTime(client)
    const { schedule } = this.config.backup
    const isWanted = () => current.hasGap || isDue(schedule, current.lastBackupAt, now)
    if (this.backup || Date.now() < this.backupAfter || !isWanted()) return
    // A command may have made a backup in between.
    await this.readLastBackup(current)
    if (!isWanted()) return
    this.backup = this.backUp(current)
      .catch((err: unknown) => {
        if (this.stopping.signal.aborted) return
        this.backupAfter = Date.now() + RETRY_MS
        this.log.error({ err }, 'a backup failed: it is tried again in ten minutes')
      })
      .finally(() => {
        this.backup = undefined
      })
  }

  /** Runs in parallel with the archiver. */
  private async backUp(current: Current): Promise<void> {
    const { source, vault, stopping, log } = this
    await withAdministration(source, async (client) => {
      const { chain, archive } = current
      await inBackupTurn(client, async () => {
        const manifest = await createBackup(
          { source, vault, log, signal: stopping.signal },
          client,
          chain,
          archive,
        )
        current.lastBackupAt = new Date(manifest.endedAt)
        backupMetrics.noteBackup(current.lastBackupAt)
        current.hasGap = false
        backupMetrics.noteGaps('listing', 0)
        log.info({ backup: manifest.id, bytes: bytesOf(manifest) }, 'a backup was made')
        await this.removeOld(chain)
      })
    })
  }

  /** Like every deletion by age, this waits while the clock cannot be trusted. */
  private async removeOld(chain: Chain): Promise<void> {
    const time = await readDeletionTime(this.service)
    if ('refusal' in time) {
      this.log.error({ reason: time.refusal }, 'no backup is deleted until the clock is correct')
      return
    }
    const { days } = this.config.backup
    const removed = await removeOutdated(this.vault, { days, now: time.now, chain: chain.id })
    if (removed.backups.length > 0) this.log.info(removed, 'old backups were removed')
  }
}

/** Without BACKUP_URL, drops slots of an earlier setting, which would keep log permanently. */
function createCleaner(source: BackupSource, log: Logger): BackupEngine {
  const drop = () => withAdministration(source, (client) => dropOtherChains(client, undefined))
  let dropping: Promise<unknown> | undefined
  return {
    start() {
      dropping = drop().catch((err: unknown) => log.warn({ err }, 'replication slots could not be looked at'))
    },
    stop: async () => void (await dropping),
  }
}

export function createBackupEngine(service: Service, server: EmbeddedServer): BackupEngine {
  const source = sourceOf(service.config, server)
  const { target, keys } = service.config.backup
  return target ? new Engine(service, source, openBackups(target, keys)) : createCleaner(source, service.log)
}
