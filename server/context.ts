// What every handler, service and job receives: no singleton, no container.
import type { Logger } from 'pino'
import type { Models } from './attributes/models.ts'
import type { OfAttribute, ShownRecords } from './attributes/shown-store.ts'
import type { Author } from './caller.ts'
import type { Config } from './config.ts'
import type { Db } from './db/pool.ts'
import type { Reader } from './db/replicas/own-writes.ts'
import type { Replicas } from './db/replicas/replicas.ts'
import type { Shares } from './db/shares.ts'
import type { DiskSpace } from './disk-space/disk-space.ts'
import type { Wake } from './events/wake.ts'
import type { FileStorage } from './files/storage.ts'
import type { Egress } from './http/egress.ts'
import type { Auth } from './identity/auth.ts'
import type { Queue } from './jobs/queue.ts'
import type { Mailer } from './mail/mailer.ts'
import type { ExportPool } from './records/export/export-pool.ts'
import type { PageReads } from './records/page-batches.ts'
import type { RecordReads } from './records/read-batches.ts'
import type { Losses } from './records/trash/losses.ts'
import type { RecordWrites } from './records/write-batches.ts'
import type { ReportPool } from './reports/report-pool.ts'
import type { SecretBox } from './secrets/box.ts'
import type { Svix } from './webhooks/svix/client.ts'

export type { Author, Caller } from './caller.ts'

export interface NamedCondition {
  check: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
}

/** Answers within 2 s, also when the database does not answer. `conditions` are those that are not well. */
export type Readiness = () => Promise<{ isReady: boolean; conditions: readonly NamedCondition[] }>

/** The databases that hold organizations (server/cells). */
export interface Cells {
  /** Connections of the directory's database. */
  readonly directoryShares: Shares
  /** Cells whose databases have answered, by number; 0 is the directory's own. */
  readonly opened: ReadonlyMap<number, Context>
  /** @throws 503 unavailable until the cell's database has answered */
  of(cell: number): Context
  /** In which cell the data of an organization is, by its public id; 0 for an unknown one. */
  cellOfOrganization(orgId: string): Promise<number>
  /** In which cell a token is (token.ts `makeTokenIn`). */
  cellOfToken(token: string): Promise<number>
  /** The number of the cell for a new organization. */
  choose(directory: Db): Promise<number>
  /**
   * Writes what a new organization starts with, in its cell: in the transaction `directory` that makes it, or in one
   * of the cell that is committed before.
   */
  seed(
    directory: Db,
    organization: { id: string; cell: number },
    work: (tx: Db) => Promise<void>,
  ): Promise<void>
  /** Brings copies of the directory's rows in the cells up to date, after a change is committed. */
  copy(): Promise<void>
}

export interface GoingRecords {
  ids: readonly string[]
  /** Whether they are deleted for good, instead of being kept in the trash. */
  isPermanent: boolean
  /** The record of the same object that takes over what they had, where they are merged into it. */
  successor?: { obj: number; id: string; merge: string } | undefined
}

export interface ReturningRecords {
  obj: number
  objectId: string
  ids: readonly string[]
  /** Gets what cannot be given back. */
  losses: Losses
}

/** A merge that is undone, after its losers returned. */
export interface UndoneMerge {
  merge: string
  obj: number
  winner: string
  losers: ReadonlySet<string>
  /** Those of them that are records again. */
  back: ReadonlySet<string>
  /** Gets what stays with the winner. */
  losses: Losses
}

/** What takes the place of the context's own while a replica is read. */
export type ReplicaUse = Pick<Context, 'shares' | 'models' | 'pageReads' | 'reports' | 'exports'>

export interface Context {
  config: Config
  /** The number of the cell that `db` is; 0: the directory's own. */
  cell: number
  cells: Cells
  /** This context in a cell; of a request, with its connections and its time. @throws 503 unavailable */
  inCell(cell: number): Context
  /** Where organizations, users, members, API keys and sessions are; the same database as `db` in cell 0. */
  directory: Db
  /** The cell of the organization: its pool, or the transaction of the request when it carries an Idempotency-Key. */
  db: Db
  /** Connections of the pool that belong to one organization. */
  shares: Shares
  /** Standbys that may be read in place of the cell's database (replica-reads.ts); undefined: there are none. */
  replicas: Replicas<ReplicaUse> | undefined
  /** Of a request where there are replicas: whose own writes it must see. */
  reader?: Reader
  /** Connections for keys, sessions and rates alone: never kept waiting by what requests do. */
  admission: Db
  /** Whether there is space to write to `db`, and for files. */
  diskSpace: DiskSpace
  log: Logger
  /** The service's clock; leases and due times use the database's. */
  clock: { now(): Date }
  models: Models
  /** Passwords and sessions; loaded when first asked for, since it is large. */
  auth(): Promise<Auth>
  mailer: Mailer
  /** Hands work to the worker. */
  queue: Queue
  /** Says that events were committed. */
  wake: Wake
  /** Seals what the database must not show, such as the secrets of endpoints. */
  secrets: SecretBox
  /** Where the bytes of files lie. */
  files: FileStorage
  /** Asks addresses that users name. */
  egress: Egress
  /** Delivers webhooks in place of the service; undefined: the service does. */
  svix: Svix | undefined
  /** Reads single records, several of them by one statement. */
  recordReads: RecordReads
  /** Reads first pages, several of them by one statement. */
  pageReads: PageReads
  /** Inserts single records, several of them by one statement. */
  recordInserts: RecordWrites
  /** Changes single records, several of them by one statement. */
  recordUpdates: RecordWrites
  /** Where exports run. */
  exports: ExportPool
  /** Where reports run. */
  reports: ReportPool
  /** Whether requests can be answered. */
  readiness: Readiness
  /** Gives records their next version and event when an attribute was deleted, or switched off or on. */
  writeVersions: (tx: Db, attribute: OfAttribute, records: ShownRecords) => Promise<void>
  /** What must happen in the transaction that deletes records, beyond records themselves: activities let go of them. */
  beforeRecordsGo: (tx: Db, author: Author, records: GoingRecords) => Promise<void>
  /** What must happen in the transaction that restores records: they get back their activities and files. */
  afterRecordsReturn: (tx: Db, author: Author, records: ReturningRecords) => Promise<void>
  /** Gives activities and files back to the records that a merge took them from. */
  afterUnmerge: (tx: Db, author: Author, merge: UndoneMerge) => Promise<void>
  /** What must happen in the transaction that gives an organization another time zone: schedules follow. */
  afterTimeZone: (tx: Db, org: number) => Promise<void>
}
