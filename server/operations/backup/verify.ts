// Proves that a backup can be restored: restores it as a separate copy, migrates and examines the copy, and deletes it.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import type { Config } from '../../config/config.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import type { Settings } from '../../db/embedded/settings.ts'
import { migrate } from '../../db/migrate.ts'
import { openPool, type Pool } from '../../db/pool.ts'
import type { Finding } from '../diagnosis/finding.ts'
import { checkSecrets } from '../diagnosis/secrets.ts'
import { checkDatabase } from '../diagnosis/service.ts'
import { checkPages } from './check-pages.ts'
import { verifiedName } from './manifest.ts'
import type { BackupMetrics } from './metrics.ts'
import { BackupError, putJson } from './object-store.ts'
import { type RestoredBackup, type RestoreOptions, restoreBackup } from './restore.ts'
import { requireWorkFolder } from './verification-folder.ts'
import { keepHistory, readHistory } from './verification-history.ts'

export interface Verified {
  ok: boolean
  restored: RestoredBackup
  findings: Finding[]
}

/** The result that is stored with the backup. */
export interface Verification {
  ok: boolean
  at: string
  findings: Finding[]
  /** Gaps of the log; earlier versions stored none. */
  gaps?: string[]
  /** The last time that was restored; null: nothing was restored. */
  until?: string | null
}

export interface VerifyOptions extends Omit<RestoreOptions, 'dataDir' | 'keySettings'> {
  config: Config
  /** The folder of the copy, which needs as much space as the database and its log. */
  folder: string
  /** Receives the result; undefined: this process has no metrics. */
  metrics?: BackupMetrics
}

// The copy is temporary, and the service needs the memory at the same time.
const SETTINGS: Settings = { fsync: 'off', shared_buffers: '128MB' }

/** Checks of the doctor that concern the machine, not the backup. */
const OF_THE_MACHINE = new Set([
  ...['database', 'descriptors', 'space', 'work', 'worker', 'vacuum', 'retention', 'clock'],
])

async function examine(pool: Pool, config: Config, database: Pick<Database, 'connection' | 'embedded'>) {
  await migrate(pool)
  const findings = await checkDatabase(
    { config, db: pool, connection: database.connection, now: Date.now },
    database,
  )
  return [...findings.filter(({ check }) => !OF_THE_MACHINE.has(check)), await checkSecrets(pool, config)]
}

async function examineCopy(config: Config, signal: AbortSignal): Promise<Finding[]> {
  const database = await openDatabase(config, { mode: 'own', settings: SETTINGS })
  try {
    const { connection, embedded } = database
    const pool = openPool({ connection, max: 2, statementTimeoutMs: 0, onError: () => undefined })
    const findings = await examine(pool, config, database).finally(() => pool.close())
    return embedded ? [...findings, await checkPages(embedded.administration, signal)] : findings
  } finally {
    await database.stop()
  }
}

function judgeLog({ gaps, until }: RestoredBackup): Finding {
  const check = 'log'
  if (gaps.length === 0) return { check, status: 'ok', detail: `everything until ${until} is there` }
  return {
    ...{ check, status: 'fail' },
    detail: `${gaps.join('; ')}: what came later than ${until} cannot be restored`,
    advice: 'make a new backup by rapport backup, so that later changes can be restored again',
  }
}

function judgeFiles({ files }: RestoredBackup): Finding {
  const check = 'files'
  const { restored, missing, missingCount, lateCount } = files
  if (missingCount === 0) return { check, status: 'ok', detail: `${restored} files are complete` }
  const detail = `${missingCount} files are missing or damaged, such as ${missing[0]}`
  if (lateCount < missingCount)
    return {
      ...{ check, status: 'fail', detail },
      advice:
        'remove their folders below files in the store, then run rapport backup: what DATA_DIR/files still has is stored again',
    }
  return {
    ...{ check, status: 'warn', detail },
    advice: 'they arrived after the last pass of the archiver, and are lost with the machine',
  }
}

type Result = Omit<Verification, 'at'>

/** @param lost the number of gaps and missing files */
async function record(options: VerifyOptions, result: Result, lost: number): Promise<void> {
  const { backup, metrics, vault } = options
  const { store } = vault
  const now = new Date()
  metrics?.noteGaps('verification', result.ok ? 0 : Math.max(lost, 1))
  if (result.ok) metrics?.noteVerification(now)
  const at = now.toISOString()
  await putJson(store, verifiedName(backup), { ...result, at })
  const kept = await readHistory(store, backup.chain)
  const before = kept ?? { firstBackupAt: backup.endedAt, lastPassedAt: null, lastFailedAt: null }
  await keepHistory(store, backup.chain, { ...before, [result.ok ? 'lastPassedAt' : 'lastFailedAt']: at })
}

/**
 * Whether a restore failed for a reason that does not concern the backup: an error of the system, such as a full disk
 * or missing permission. A read error (EIO) may come from the disk of the backups, so it does not count.
 */
export function isMachineFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('syscall' in error) return errorCode(error) !== 'EIO'
  return isMachineFault(error.cause)
}

/** A backup that cannot be restored fails its verification; a fault of this machine gives no verdict. */
async function restoreCopy(options: VerifyOptions, dataDir: string): Promise<RestoredBackup> {
  try {
    return await restoreBackup({
      ...{ ...options, dataDir, keySettings: options.config },
      settings: { ...SETTINGS, ...options.settings },
    })
  } catch (error) {
    if (options.signal.aborted || !(error instanceof BackupError) || isMachineFault(error)) throw error
    const findings: Finding[] = [{ check: 'restore', status: 'fail', detail: error.message }]
    const result = { ok: false, findings, gaps: [error.message], until: null }
    await record(options, result, 1)
    throw error
  }
}

/** @throws BackupError, EmbeddedError if the backup cannot be restored at all */
export async function verifyBackup(options: VerifyOptions): Promise<Verified> {
  const { signal } = options
  await requireWorkFolder(options.folder)
  const folder = await mkdtemp(join(options.folder, 'rapport-verify-'))
  try {
    const dataDir = join(folder, 'data')
    const restored = await restoreCopy(options, dataDir)
    const config: Config = { ...options.config, dataDir, databaseUrl: undefined, s3: undefined }
    const seen = await examineCopy(config, signal)
    const findings = [judgeLog(restored), judgeFiles(restored), ...seen]
    const ok = findings.every(({ status }) => status !== 'fail')
    const { gaps, until, files } = restored
    const lost = gaps.length + files.missingCount - files.lateCount
    await record(options, { ok, findings, gaps, until }, lost)
    return { ok, restored, findings }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
