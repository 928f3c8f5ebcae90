// Proves that a backup can be restored: restores it aside, migrates and examines the copy, and deletes it.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import type { Settings } from '../db/embedded/settings.ts'
import { migrate } from '../db/migrate.ts'
import { openPool, type Pool } from '../db/pool.ts'
import type { Finding } from '../diagnosis/finding.ts'
import { checkSecrets } from '../diagnosis/secrets.ts'
import { checkDatabase } from '../diagnosis/service.ts'
import { checkPages } from './check-pages.ts'
import { verifiedName } from './manifest.ts'
import { type Restored, type RestoreOptions, restoreBackup } from './restore.ts'

export interface Verified {
  ok: boolean
  restored: Restored
  findings: Finding[]
}

export interface VerifyOptions extends Omit<RestoreOptions, 'dataDir' | 'keySettings'> {
  config: Config
  /** Where the copy lies meanwhile: it needs as much room as the database and its log. */
  folder: string
}

// The copy lives for a moment, and beside a service that needs its memory.
const SETTINGS: Settings = { fsync: 'off', shared_buffers: '128MB' }

/** What a doctor's look at any machine finds, and says nothing about the backup. */
const OF_THE_MACHINE = new Set(['database', 'work', 'worker', 'vacuum', 'retention', 'clock'])

async function examine(pool: Pool, config: Config, database: Parameters<typeof checkDatabase>[1]) {
  await migrate(pool)
  const findings = await checkDatabase({ config, db: pool, now: Date.now }, database)
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

function judgeFiles({ files }: Restored): Finding {
  const check = 'files'
  if (files.missingCount === 0) return { check, status: 'ok', detail: `${files.restored} files are complete` }
  return {
    check,
    status: 'warn',
    detail: `${files.missingCount} files are not in the backup, such as ${files.missing[0]}`,
    advice: 'files that arrived after the last pass of the archiver are lost with the machine',
  }
}

/** @throws BackupError, EmbeddedError when it cannot be restored at all */
export async function verifyBackup(options: VerifyOptions): Promise<Verified> {
  const { vault, backup, signal } = options
  const folder = await mkdtemp(join(options.folder, 'rapport-verify-'))
  try {
    const dataDir = join(folder, 'data')
    const restored = await restoreBackup({
      ...options,
      dataDir,
      keySettings: options.config,
      settings: { ...SETTINGS, ...options.settings },
    })
    const config: Config = { ...options.config, dataDir, databaseUrl: undefined, s3: undefined }
    const findings = [judgeFiles(restored), ...(await examineCopy(config, signal))]
    const ok = findings.every(({ status }) => status !== 'fail')
    const result = { ok, at: new Date().toISOString(), findings }
    await vault.store.put(verifiedName(backup), Buffer.from(`${JSON.stringify(result)}\n`))
    return { ok, restored, findings }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
