// Whether there is a backup, and how much would be lost with the machine now.
import { Cron } from 'croner'
import sql from 'sql-template-tag'
import { type DescribedBackup, describeBackups } from '../backup/describe.ts'
import { parseLsn } from '../backup/lsn.ts'
import { openBackups } from '../backup/open.ts'
import { readHead } from '../backup/wal-archive.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import type { Finding } from './finding.ts'

const check = 'backup'
const HOUR_MS = 3600_000
/** A server that starts and stops writes some log that holds no change. */
const BEHIND_BYTES = 1024 * 1024

const NOT_CONFIGURED = 'no backups are made by the service: BACKUP_URL is not set'
const ADVICE = 'set BACKUP_URL and BACKUP_KEY, or make backups by rapport backup'

/** @param now by this machine's clock */
export function judgeAge(last: DescribedBackup | undefined, schedule: string, now: Date): Finding {
  if (last === undefined)
    return {
      ...{ check, status: 'warn', detail: 'there is no backup yet' },
      advice: 'start a process with ROLE=all or ROLE=worker and check its log, or run rapport backup',
    }
  const { id, endedAt } = last.manifest
  const due = new Cron(schedule, { timezone: 'UTC', paused: true }).nextRun(new Date(endedAt))
  const detail = `the last backup, ${id}, is of ${endedAt}, ${last.verifiedAt ? 'verified' : 'not verified'}`
  if (due === null || now.getTime() < due.getTime() + HOUR_MS) return { check, status: 'ok', detail }
  return {
    check,
    status: 'warn',
    detail: `${detail}: the next one is overdue`,
    advice: 'check the log of the worker',
  }
}

interface Behind {
  bytes: number
  /** Everything that was committed before is archived. */
  archivedUntil: Date
}

/** @param seconds BACKUP_WAL_SECONDS */
export function judgeArchive(
  { bytes, archivedUntil }: Behind,
  seconds: number,
  now: Date,
): Finding | undefined {
  const ageSeconds = (now.getTime() - archivedUntil.getTime()) / 1000
  if (bytes < BEHIND_BYTES || ageSeconds < 5 * seconds + 60) return undefined
  return {
    ...{ check, status: 'warn' },
    detail: `changes are archived until ${archivedUntil.toISOString()} only`,
    advice:
      'keep a process with ROLE=all or ROLE=worker running, and check its log: later changes would be lost',
  }
}

async function examine(config: Config, db: Db | undefined, now: Date): Promise<Finding> {
  const { target, keys, schedule, walSeconds } = config.backup
  if (target === undefined) return { check, status: 'ok', detail: NOT_CONFIGURED }
  const vault = openBackups(target, keys)
  try {
    const last = (await describeBackups(vault)).at(-1)
    const head = last && (await readHead(vault, last.manifest.chain))
    const flush = await db?.value<string>(sql`select pg_current_wal_flush_lsn()::text as lsn`)
    const behind = head &&
      flush && { bytes: Number(parseLsn(flush) - parseLsn(head.lsn)), archivedUntil: new Date(head.at) }
    return (behind && judgeArchive(behind, walSeconds, now)) || judgeAge(last, schedule, now)
  } finally {
    await vault.store.close()
  }
}

/** Nothing for a database elsewhere, which has backups of its own. */
export async function checkBackup(config: Config, db: Db | undefined, now: Date): Promise<Finding[]> {
  if (config.databaseUrl !== undefined) return []
  if (config.backup.target === undefined && config.production)
    return [{ check, status: 'warn', detail: NOT_CONFIGURED, advice: ADVICE }]
  const finding = await examine(config, db, now).catch(
    (error: Error): Finding => ({
      ...{ check, status: 'fail', detail: error.message },
      advice: 'check BACKUP_URL and the access to it: no backups are made until then',
    }),
  )
  return [finding]
}
