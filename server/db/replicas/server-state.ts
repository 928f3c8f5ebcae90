// Reads the state of the primary and of its standbys.
import sql from 'sql-template-tag'
import type { Db } from '../pool.ts'

/** Identifies a database, on any server of its cluster. */
export interface Identity {
  /** The system identifier that initdb sets; standbys have the one of their primary. */
  system: string
  /** The OID of the database. */
  database: number
}

const identity = sql`
  (select system_identifier::text from pg_control_system()) as system,
  (select oid::int8 from pg_database where datname = current_database()) as database`

export interface PrimaryState extends Identity {
  timeline: number
}

/** @throws DatabaseError of PostgreSQL on a server in recovery */
export const selectPrimary = (db: Db): Promise<PrimaryState> =>
  db.one(sql`
    select ${identity},
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int8 as timeline`)

/**
 * The log position, in bytes, that includes every acknowledged commit. Only with synchronous_commit=off are commits
 * acknowledged before their log is flushed.
 */
export const selectPosition = (db: Db): Promise<number> =>
  db.value(sql`
    select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::int8 as position`)

export interface StandbyState extends Identity {
  isStandby: boolean
  /** Bytes of log that are replayed; null if the server does not report this, such as one on shared storage. */
  position: number | null
  /** The timeline of the received log; null if no log is received, or the role may not see it. */
  receivedTimeline: number | null
  /** The timeline of the last restart point. */
  timeline: number
  /** Whether the primary keeps rows that its queries need (hot_standby_feedback). */
  hasFeedback: boolean
}

export const selectStandby = (db: Db): Promise<StandbyState> =>
  db.one(sql`
    select ${identity}, pg_is_in_recovery() as "isStandby",
      (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 as position,
      (select received_tli::int8 from pg_stat_wal_receiver limit 1) as "receivedTimeline",
      (select timeline_id::int8 from pg_control_checkpoint()) as timeline,
      current_setting('hot_standby_feedback') = 'on' as "hasFeedback"`)

/** Only `ready` is read. `down`: does not answer. Others: not a standby of this primary. */
export type ReplicaState = 'ready' | 'down' | 'other_database' | 'not_standby' | 'other_timeline'

const isSame = (one: Identity, other: Identity): boolean =>
  one.system === other.system && one.database === other.database

export function classifyServer(primary: PrimaryState, standby: StandbyState): ReplicaState {
  if (!isSame(primary, standby)) return 'other_database'
  if (!standby.isStandby || standby.position === null) return 'not_standby'
  const { receivedTimeline: received, timeline } = standby
  // After a promotion a standby may follow another server than this primary, or none, and have data that this primary
  // lacks. If its receiver is not visible, its last restart point shows this some minutes later.
  return (received ?? timeline) === primary.timeline ? 'ready' : 'other_timeline'
}
