// Whether there is a backup, and how much data would be lost with the machine now.
import { Cron } from 'croner'
import sql from 'sql-template-tag'
import { counted } from '../../../contract/counted.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { describeSpan } from '../backup/chain-facts.ts'
import { type DescribedBackup, type DescribedPlace, describePlace } from '../backup/describe.ts'
import { parseLsn } from '../backup/lsn.ts'
import { backupPrefix, requireAuthentic } from '../backup/manifest.ts'
import { BackupError } from '../backup/object-store.ts'
import { openBackups } from '../backup/open.ts'
import { isMarked } from '../backup/place.ts'
import { findKeyGaps } from '../backup/restored-keys.ts'
import type { Vault } from '../backup/vault.ts'
import {
  hasFailed,
  historyOf,
  readHistory,
  type VerificationHistory,
} from '../backup/verification-history.ts'
import { readHead } from '../backup/wal-archive.ts'
import type { Finding } from './finding.ts'

const check = 'backup'
const HOUR_MS = 3600_000
/** A server that starts and stops writes some log without a change. */
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
  const detail = `the last backup, ${id}, is of ${endedAt}, ${last.verifiedAt === null ? 'not verified' : 'verified'}`
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
  /** Everything committed before this time is archived. */
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

/** Warns if the settings contain no key. */
function judgeKey(keys: Config['backup']['keys']): Finding[] {
  if (keys) return []
  return [
    {
      ...{ check: 'backup key', status: 'warn' },
      detail: 'backups are not encrypted: BACKUP_KEY is not set',
      advice:
        'set BACKUP_KEY, or keep the backups where only you can read them: they contain all data and keys',
    },
  ]
}

/** Whether the last backup can be opened with the key of the settings. */
export function judgeOpening(vault: Pick<Vault, 'signer'>, last: DescribedBackup | undefined): Finding[] {
  try {
    if (last) requireAuthentic(vault, last.manifest)
    return []
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    const found = { check: 'backup key', detail: error.message }
    const { mac, isEncrypted } = { ...last?.manifest }
    // Can be restored, with the option that the message names.
    if (vault.signer && mac === undefined)
      return [
        { ...found, status: isEncrypted ? 'fail' : 'warn', advice: 'make a backup now by rapport backup' },
      ]
    const advice =
      'set BACKUP_KEY to the key that it was made with, or make a new backup by rapport backup: until then there is none that can be restored'
    return [{ ...found, status: 'fail', advice }]
  }
}

/** Retention keeps damaged backups in the chain in use. */
export function judgeDamage({ damaged, backups }: Pick<DescribedPlace, 'damaged' | 'backups'>): Finding[] {
  if (damaged.length === 0) return []
  // An id begins with its time.
  const isReplaced = damaged.every(({ id }) => backups.some(({ manifest }) => manifest.id > id))
  const folders = damaged.map((one) => backupPrefix(one).slice(0, -1)).join(', ')
  const removal = `delete ${folders} in the store, and find out what damages files there`
  return [
    {
      ...{ check: 'backup damage', status: isReplaced ? 'warn' : 'fail' },
      detail: `${counted(damaged.length, 'backup')} cannot be used, because the manifest is damaged: ${damaged.map(({ id }) => id).join(', ')}`,
      advice: isReplaced ? removal : `make a new backup by rapport backup, then ${removal}`,
    },
  ]
}

/** Missing objects of the last backup and of the log after it. */
export function judgeGaps(last: DescribedBackup | undefined): Finding[] {
  if (last === undefined || last.gaps.length === 0) return []
  const reach =
    last.restorableUntil === null ? '' : `, so it can be restored until ${last.restorableUntil} only`
  return [
    {
      ...{ check: 'backup gaps', status: 'fail' },
      detail: `${last.gaps.join('; ')}${reach}`,
      advice: 'make a new backup by rapport backup, and find out what removes or damages files in the store',
    },
  ]
}

/** Missing keys of the last backup. A backup that cannot be opened is reported by judgeOpening. */
async function judgeKeyGaps(
  config: Config,
  vault: Vault,
  last: DescribedBackup | undefined,
): Promise<Finding[]> {
  if (last === undefined || judgeOpening(vault, last).length > 0) return []
  const [gaps = []] = await findKeyGaps({ vault, backups: [last.manifest], keySettings: config })
  if (gaps.length === 0) return []
  return [
    {
      ...{ check: 'backup keys', status: 'fail', detail: gaps.join('; ') },
      advice:
        'set the settings that are named as not set; if files are missing, make a new backup by rapport backup, and find out what removes or damages files in the store',
    },
  ]
}

/** A verification that is late by a whole interval was not started, or fails. */
export function judgeVerification(
  history: VerificationHistory | undefined,
  hours: number,
  now: Date,
): Finding | undefined {
  const verification = 'verification'
  if (history === undefined) return undefined
  const { firstBackupAt, lastPassedAt, lastFailedAt } = history
  if (hasFailed(history))
    return {
      ...{
        check: verification,
        status: 'fail',
        detail: `the backup failed its verification at ${lastFailedAt}`,
      },
      advice: 'run rapport backup verify: it says what is wrong',
    }
  const detail =
    lastPassedAt === null ? 'no backup was verified yet' : `a backup was verified at ${lastPassedAt}`
  const since = Date.parse(lastPassedAt ?? firstBackupAt)
  if (hours === 0 || now.getTime() < since + 2 * hours * HOUR_MS)
    return { check: verification, status: 'ok', detail }
  return {
    ...{ check: verification, status: 'warn', detail },
    advice: 'check the log of the worker, or run rapport backup verify',
  }
}

/** The databases of cells are servers of the operator. */
export function judgeCoverage({ cells }: Pick<Config, 'cells'>): Finding[] {
  if (cells.length === 0) return []
  const names = cells.map(({ name }) => name).join(', ')
  return [
    {
      ...{ check: 'backup cells', status: 'warn' },
      detail: `these backups have only the directory and its files, not the organizations in ${counted(cells.length, 'cell')}: ${names}`,
      advice:
        'back up the server of each cell with its own tools, so that each can be restored to the same moment as the directory',
    },
  ]
}

function judgeRivals({ rivals }: DescribedPlace): Finding[] {
  if (rivals.length < 2) return []
  return [
    {
      ...{ check: 'backup place', status: 'warn' },
      detail: `it has backups of several installations, or of copies that ran at the same time: ${rivals.map(describeSpan).join('; ')}`,
      advice: 'give each its own BACKUP_URL; until then restore asks for --chain',
    },
  ]
}

async function judgeLast(
  { backup }: Config,
  { vault, last }: { vault: Vault; last: DescribedBackup | undefined },
  { db, now }: { db: Db | undefined; now: Date },
): Promise<Finding> {
  const head = last && (await readHead(vault, last.manifest.chain))
  const flush = await db?.value<string>(sql`select pg_current_wal_flush_lsn()::text as lsn`)
  const behind = head &&
    flush && { bytes: Number(parseLsn(flush) - parseLsn(head.lsn)), archivedUntil: new Date(head.at) }
  return (behind && judgeArchive(behind, backup.walSeconds, now)) || judgeAge(last, backup.schedule, now)
}

async function examine(config: Config, db: Db | undefined, now: Date): Promise<Finding[]> {
  const { target, keys, verifyHours } = config.backup
  if (target === undefined) return [{ check, status: 'ok', detail: NOT_CONFIGURED }]
  const vault = openBackups(target, keys)
  try {
    await isMarked(vault.store)
    const place = await describePlace(vault)
    const last = place.backups.at(-1)
    const ofChain = place.backups.filter(({ manifest }) => manifest.chain === last?.manifest.chain)
    const kept = last && (await readHistory(vault.store, last.manifest.chain))
    const verification = judgeVerification(historyOf(ofChain, kept), verifyHours, now)
    return [
      await judgeLast(config, { vault, last }, { db, now }),
      ...judgeGaps(last),
      ...(await judgeKeyGaps(config, vault, last)),
      ...judgeDamage(place),
      ...(verification ? [verification] : []),
      ...(keys === undefined && last?.manifest.isEncrypted ? [] : judgeKey(keys)),
      ...judgeOpening(vault, last),
      ...judgeRivals(place),
      ...judgeCoverage(config),
    ]
  } finally {
    await vault.store.close()
  }
}

/** Examines nothing for an external database, which has its own backups. */
export async function checkBackup(config: Config, db: Db | undefined, now: Date): Promise<Finding[]> {
  if (config.databaseUrl !== undefined) return []
  if (config.backup.target === undefined && config.production)
    return [{ check, status: 'warn', detail: NOT_CONFIGURED, advice: ADVICE }]
  return examine(config, db, now).catch((error: Error): Finding[] => [
    {
      ...{ check, status: 'fail', detail: error.message },
      advice: 'check BACKUP_URL and the access to it: no backups are made until then',
    },
  ])
}
