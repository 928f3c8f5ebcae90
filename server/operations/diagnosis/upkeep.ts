// PostgreSQL's own maintenance, and what prevents it: vacuum, transaction ids, log for replication slots.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { Finding } from './finding.ts'

export interface UpkeepFacts {
  hasAutovacuum: boolean
  /** Age of the oldest transaction id of the database. */
  idAge: number
  /** The table with the most dead rows, if these are many and more than its live rows. */
  table: string | null
  deadRows: number
  /** The replication slot without a reader that keeps the most log. */
  slot: string | null
  keptBytes: number
}

const IDS_WARN = 1_000_000_000
const IDS_FAIL = 1_500_000_000
const DEAD_ROWS_WARN = 1_000_000
const GIB = 1024 ** 3

/** On a standby, the log that slots keep is not measured. */
export const selectUpkeep = (db: Db) =>
  db.one<UpkeepFacts>(sql`
    select current_setting('autovacuum') = 'on' as "hasAutovacuum",
      (select age(datfrozenxid)::int8 from pg_database where datname = current_database()) as "idAge",
      t.relname as table, coalesce(t.n_dead_tup, 0) as "deadRows",
      s.slot_name as slot, coalesce(s.bytes, 0)::int8 as "keptBytes"
    from (select) as one
    left join (
      select relname, n_dead_tup from pg_stat_user_tables
      where n_dead_tup > ${DEAD_ROWS_WARN}::int8 and n_dead_tup > n_live_tup order by n_dead_tup desc limit 1) as t on true
    left join (
      select slot_name, pg_wal_lsn_diff(
        case when not pg_is_in_recovery() then pg_current_wal_lsn() end, restart_lsn) as bytes
      from pg_replication_slots where not active and restart_lsn is not null order by restart_lsn limit 1) as s on true`)

function judgeVacuum({ hasAutovacuum, idAge, table, deadRows }: UpkeepFacts): Finding {
  const check = 'vacuum'
  const millions = Math.round(idAge / 1_000_000)
  if (idAge > IDS_WARN)
    return {
      ...{ check, status: idAge > IDS_FAIL ? 'fail' : 'warn' },
      detail: `the oldest transaction id is ${millions} million old: PostgreSQL refuses writes at 2,147 million`,
      advice:
        'end old transactions (pg_stat_activity, pg_prepared_xacts) and replication slots that nothing reads, then run vacuum freeze',
    }
  if (!hasAutovacuum)
    return {
      ...{ check, status: 'warn', detail: 'autovacuum is off: tables grow without end' },
      advice: 'set autovacuum = on in the settings of PostgreSQL and reload it',
    }
  if (table === null) return { check, status: 'ok', detail: 'autovacuum keeps up' }
  return {
    ...{ check, status: 'warn' },
    detail: `the table ${table} has ${(deadRows / 1_000_000).toFixed(1)} million dead rows, more than live ones: autovacuum is behind`,
    advice: `end long transactions, run vacuum (analyze) ${table}, and raise autovacuum_vacuum_cost_limit`,
  }
}

/** The names of the archiver's slots begin with this prefix (operations/backup/chain.ts). */
const OF_BACKUPS = 'rapport_'

function judgeSlots({ slot, keptBytes }: UpkeepFacts): Finding[] {
  if (slot === null || keptBytes < GIB) return []
  const advice = slot.startsWith(OF_BACKUPS)
    ? 'it belongs to backups: see the check backup, and the log of the worker'
    : `start its standby, or drop it: select pg_drop_replication_slot('${slot}')`
  return [
    {
      ...{ check: 'slots', status: 'warn' },
      detail: `the replication slot ${slot} has no reader and keeps ${(keptBytes / GIB).toFixed(1)} GiB of log: it fills the disk`,
      advice,
    },
  ]
}

export const judgeUpkeep = (facts: UpkeepFacts): Finding[] => [judgeVacuum(facts), ...judgeSlots(facts)]
