// The conditions that /readyz and `rapport doctor` name. To add one, write its `examine` and put it in the list.
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import type { ClientConfig } from 'pg'
import sql from 'sql-template-tag'
import { counted } from '../../../contract/counted.ts'
import type { Config } from '../../config/config.ts'
import type { Pooled } from '../../db/connections.ts'
import { fillSome } from '../../db/disk-space/probe.ts'
import { MigrationError, pendingMigrations } from '../../db/migrate.ts'
import { type Db, errorCode } from '../../db/pool.ts'
import { schemaState } from '../../db/schema-state.ts'
import { isDiskFull } from '../../db/unavailable.ts'
import type { Finding } from './finding.ts'
import { examinePooler, recallPooler } from './pooler.ts'

export interface HealthSubject {
  config: Config
  db: Db
  /** Connection to this database: the directory or a cell. */
  connection: ClientConfig & Pooled
  /** The service's clock, milliseconds since 1970. */
  now(): number
}

export interface HealthCondition {
  check: string
  /**
   * `stops`: no request can be answered while it fails, so /readyz is 503. `named`: /readyz reports it and stays 200.
   * `doctor`: too slow, or too private, for a public address that may be requested every second.
   */
  readiness: 'stops' | 'named' | 'doctor'
  /** @throws the error of the database if it cannot be reached */
  examine(subject: HealthSubject): Promise<Finding>
  /** For /readyz, if `examine` may take longer than a probe waits. */
  recall?(subject: HealthSubject): Finding
}

const CLOCK_WARN_MS = 2000
const CLOCK_FAIL_MS = 60_000
const NO_DESCRIPTOR = ['EMFILE', 'ENFILE']

async function examineDescriptors(): Promise<Finding> {
  const check = 'descriptors'
  try {
    await (await open(devNull)).close()
    return { check, status: 'ok', detail: 'file descriptors are available' }
  } catch (error) {
    if (!NO_DESCRIPTOR.includes(errorCode(error) ?? '')) throw error
    return {
      check,
      status: 'fail',
      detail: 'no file descriptor is left: new connections are refused',
      advice: 'raise the limit of open files (LimitNOFILE, ulimit -n)',
    }
  }
}

async function examineWriting({ db }: HealthSubject): Promise<Finding> {
  const check = 'writing'
  const { standby, readonly } = await db.one<{ standby: boolean; readonly: string }>(
    sql`select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as readonly`,
  )
  if (!standby && readonly === 'off') return { check, status: 'ok', detail: 'the database is writable' }
  return {
    check,
    status: 'fail',
    detail: standby
      ? 'the database is read-only: it is a standby'
      : 'the database is read-only: default_transaction_read_only is on',
    advice: 'point DATABASE_URL at the primary, or make this server writable',
  }
}

// Without the right to see other roles, only the process and its slot are visible.
const STANDBYS = sql`
  select count(*) from pg_stat_replication as r
  where coalesce(r.state, 'streaming') <> 'backup'
    and not exists (select from pg_replication_slots as s where s.active_pid = r.pid and s.slot_type = 'logical')`

export interface ReplicationFacts {
  standbys: number
  /** The setting synchronous_standby_names. */
  names: string
  /** The setting synchronous_commit of our sessions. */
  commit: string
}

const NOT_WAITED_FOR = ['off', 'local']

/** Whether an acknowledged write may be lost when the primary fails. */
export function judgeReplication({ standbys, names, commit }: ReplicationFacts): Finding {
  const check = 'replication'
  const waits = names !== '' && !NOT_WAITED_FOR.includes(commit)
  if (standbys === 0 && names === '') return { check, status: 'ok', detail: 'the database has no standby' }
  if (waits) return { check, status: 'ok', detail: `a commit waits for standbys: ${names}` }
  const detail =
    names === ''
      ? `${counted(standbys, 'standby is', 'standbys are')} connected, and no commit waits for one: a failover may lose acknowledged writes`
      : `synchronous_commit is ${commit}: no commit waits for standbys, and a failover may lose acknowledged writes`
  const advice =
    'use synchronous replication that is strict, as docs/operators/high-availability.md describes; ignore this if the standbys are not for failover'
  return { check, status: 'warn', detail, advice }
}

const examineReplication = async ({ db }: HealthSubject): Promise<Finding> =>
  judgeReplication(
    await db.one<ReplicationFacts>(sql`
      select (${STANDBYS}) as standbys, current_setting('synchronous_standby_names') as names,
        current_setting('synchronous_commit') as commit`),
  )

async function examineSpace({ db }: HealthSubject): Promise<Finding> {
  const check = 'space'
  try {
    await fillSome(db)
    return { check, status: 'ok', detail: 'the disk of the database has free space' }
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const detail = 'the disk of the database is full: writes are refused'
    return { check, status: 'fail', detail, advice: 'free space on the disk of PostgreSQL' }
  }
}

async function examineMigrations({ db }: HealthSubject): Promise<Finding> {
  const check = 'migrations'
  try {
    const pending = await pendingMigrations(db)
    if (pending.length === 0) return { check, status: 'ok', detail: 'all are applied' }
    const names = pending.map(({ name }) => name).join(', ')
    const detail = `not applied: ${names}`
    return { check, status: 'warn', detail, advice: 'run rapport migrate, or start the service' }
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    const advice =
      'start the version of the service that has migrated this database, or restore a backup of the version before'
    return { check, status: 'fail', detail: error.message, advice }
  }
}

/** During an upgrade. A schema that this version cannot use is reported by `migrations`. */
async function examineVersion({ db }: HealthSubject): Promise<Finding> {
  const check = 'version'
  const { newer, mayWrite, unusable } = await schemaState(db)
  if (newer.length === 0 || unusable !== undefined)
    return { check, status: 'ok', detail: 'no upgrade is in progress' }
  const migrated = `a newer version has migrated the database (${newer.at(-1)})`
  const advice = 'replace this process by one of the newer version'
  return mayWrite
    ? { check, status: 'warn', detail: `${migrated}: this process goes on as before`, advice }
    : { check, status: 'fail', detail: `${migrated}: changes of records by this process are refused`, advice }
}

/** @param offsetMs how far the database's clock is ahead, as far as it can be measured */
export function judgeClock(offsetMs: number): Finding {
  const check = 'clock'
  const detail = `the database's clock is ${Math.abs(Math.round(offsetMs))} ms ${offsetMs < 0 ? 'behind' : 'ahead'}`
  const distance = Math.abs(offsetMs)
  if (distance < CLOCK_WARN_MS) return { check, status: 'ok', detail }
  const advice =
    'synchronize both clocks with NTP: one is used for ids and expiry times, the other for leases and due times. Nothing is deleted by age while they differ by more than a minute'
  return { check, status: distance < CLOCK_FAIL_MS ? 'warn' : 'fail', detail, advice }
}

async function examineClock({ db, now }: HealthSubject): Promise<Finding> {
  const askedMs = now()
  const { clockMs } = await db.one<{ clockMs: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs"`,
  )
  return judgeClock(clockMs - (askedMs + now()) / 2)
}

/** In the order of examination: the first one that cannot be examined also gives the reason for the rest. */
export const conditions: readonly HealthCondition[] = [
  { check: 'descriptors', readiness: 'stops', examine: examineDescriptors },
  { check: 'pooler', readiness: 'stops', examine: examinePooler, recall: recallPooler },
  { check: 'migrations', readiness: 'stops', examine: examineMigrations },
  // Reads continue, so that an upgrade is not an outage.
  { check: 'version', readiness: 'named', examine: examineVersion },
  { check: 'writing', readiness: 'stops', examine: examineWriting },
  // Reads continue.
  { check: 'space', readiness: 'named', examine: examineSpace },
  { check: 'clock', readiness: 'named', examine: examineClock },
  { check: 'replication', readiness: 'doctor', examine: examineReplication },
]
