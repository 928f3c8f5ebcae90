// Writes single records. Requests of all organizations that arrive during a write share a statement. Records of an
// object with index rows share a statement per object, which also writes the index rows. A statement writes the records
// without a conflict and declines the others: their own statements find the reason. It waits only briefly for locks.
import sql, { type Sql } from 'sql-template-tag'
import { createSharedBatches, type Waiting } from '../../base/batches.ts'
import type { Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { type DatabaseScope, joinScopes } from '../../db/scope.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import type { RecordDraft } from './store.ts'

export interface RecordWrite {
  caller: Caller
  model: ObjectModel
  draft: RecordDraft
  scope: DatabaseScope | undefined
}

export interface RecordWrites {
  /** @param unbatched writes the record by its own statement */
  write(write: RecordWrite, unbatched: () => Promise<StoredRecord>): Promise<StoredRecord>
}

export interface RecordWritesOptions {
  /**
   * Writes the records without a conflict and returns them.
   * @param model the model of all records, if it has index rows
   */
  statement(batch: readonly RecordWrite[], model: ObjectModel | undefined): Sql
  /** Two writes with a key in common are never in flight at the same time. */
  keysOf(draft: RecordDraft): readonly string[]
}

type WaitingWrite = Waiting<RecordWrite, StoredRecord>

const BATCH_MAX = 64
const IN_FLIGHT_MAX = 4
/** Longer data is written by its own statement, so that small records of others do not wait for it. */
const DATA_CHARACTERS_MAX = 16 * 1024
/** A batch that takes longer is rolled back, and its records are written one by one. */
const LOCK_WAIT_MS = '50'

const rowJson = ({ caller, model, draft: { id, data, comparable } }: RecordWrite): string =>
  `{"org":${model.org},"obj":${model.obj},"model":${model.version},"id":"${id}","actor":"${caller.userId}",` +
  `"key":${caller.keyId ? `"${caller.keyId}"` : null},"data":${data},"comparable":${comparable}}`

/** Query of the rows (org, obj, model, id, actor, key, data, comparable). It also limits the waits for locks. */
export const batchRows = (batch: readonly RecordWrite[]): Sql => sql`
  select d.* from (select set_config('lock_timeout', ${LOCK_WAIT_MS}, true) offset 0) as bounded
  cross join jsonb_to_recordset(${`[${batch.map(rowJson).join(',')}]`}::jsonb)
    as d(org int, obj int, model bigint, id uuid, actor uuid, key uuid, data jsonb, comparable jsonb)`

class Writes implements RecordWrites {
  readonly #db: Db
  readonly #options: RecordWritesOptions
  /** The keys of the writes in flight. */
  readonly #keys = new Set<string>()
  readonly #share = createSharedBatches<RecordWrite, StoredRecord>({
    sizeMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    handle: (batch) => this.#handle(batch),
  })

  constructor(db: Db, options: RecordWritesOptions) {
    this.#db = db
    this.#options = options
  }

  async write(write: RecordWrite, unbatched: () => Promise<StoredRecord>): Promise<StoredRecord> {
    if (write.draft.data.length > DATA_CHARACTERS_MAX) return unbatched()
    const takeBack = write.scope?.presumeChanges()
    return this.#share(write.model.org, write, () => {
      takeBack?.()
      return unbatched()
    })
  }

  async #handle(batch: readonly WaitingWrite[]): Promise<void> {
    const free = batch.filter((one) => this.#take(one))
    for (const { decline } of batch.filter((one) => !free.includes(one))) decline()
    const groups = Map.groupBy(free, ({ model }) => (model.index ? model : undefined))
    await Promise.all([...groups].map(([model, group]) => this.#writeGroup(group, model)))
    for (const { draft } of free) for (const key of this.#options.keysOf(draft)) this.#keys.delete(key)
  }

  /** Takes the keys of a write, unless its request has ended or another write in flight has one of them. */
  #take({ draft, scope }: WaitingWrite): boolean {
    const keys = this.#options.keysOf(draft)
    if (scope?.isCut || keys.some((key) => this.#keys.has(key))) return false
    for (const key of keys) this.#keys.add(key)
    return true
  }

  async #writeGroup(group: readonly WaitingWrite[], model: ObjectModel | undefined): Promise<void> {
    const [only] = group
    // The statement for one record costs less than the one for many.
    if (only && group.length === 1) only.decline()
    else await this.#writeAll(group, model)
  }

  async #writeAll(batch: readonly WaitingWrite[], model: ObjectModel | undefined): Promise<void> {
    const { scope: joint, leave } = joinScopes(batch.map(({ scope }) => scope))
    try {
      const rows = await this.#db.inScope(joint).many<StoredRecord>(this.#options.statement(batch, model))
      const written = new Map(rows.map((row) => [row.id, row]))
      for (const { draft, resolve, decline } of batch) {
        const record = written.get(draft.id)
        if (record) resolve(record)
        else decline()
      }
    } catch (error) {
      for (const { decline, reject } of batch) joint.mayHaveCommitted ? reject(error) : decline()
    } finally {
      leave()
    }
  }
}

export const createRecordWrites = (db: Db, options: RecordWritesOptions): RecordWrites =>
  new Writes(db, options)
