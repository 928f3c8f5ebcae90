// Reads single records. Requests that arrive while others are read share one statement. Long records are read one by one, over
// the connections of their organization, so that small records of others do not wait for them.
import sql from 'sql-template-tag'
import { createSharedBatches, type Waiting } from '../../base/batches.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { updatedMicros } from '../rows/sorting.ts'
import { type StoredRecord, visibleBy } from '../rows/stored-record.ts'
import { findRecord } from './find-record.ts'
import { LongObjects } from './long-objects.ts'

export interface RecordReads {
  /**
   * @param db of the request, for a record that is read by its own statement
   * @returns undefined when there is no such record @throws StaleModel
   */
  find(db: Db, model: ObjectModel, id: string): Promise<StoredRecord | undefined>
}

interface OneRead {
  model: ObjectModel
  id: string
}

type Wanted = Waiting<OneRead, StoredRecord | undefined>

interface Row extends Omit<StoredRecord, 'id' | 'data'> {
  /** The position in the batch, from 1. */
  n: number
  /** null when there is no such record */
  id: string | null
  /** null when it is too long */
  data: string | null
}

const BATCH_MAX = 100
const IN_FLIGHT_MAX = 4
/** A record that waits longer is read by its own statement. */
const WAIT_MS = 200
/** In bytes: a batch has at most 1.6 MB. */
const DATA_BYTES_MAX = 16 * 1024

const DATA = visibleBy({ hidden: sql`o.hidden_slugs`, renaming: sql`o.renaming` }, sql`r.data`)

/** Each record has its own organization. A record has no row if its model is out of date. */
const selectBatch = (db: Db, batch: readonly Wanted[]): Promise<Row[]> =>
  db.many<Row>(sql`
    select q.n::int as n, r.id, r.micros, r.version,
      case when octet_length(r.data) <= ${DATA_BYTES_MAX}::int then r.data end as data
    from unnest(${batch.map(({ model }) => model.org)}::int[], ${batch.map(({ model }) => model.obj)}::int[],
      ${batch.map(({ model }) => model.version)}::bigint[], ${batch.map(({ id }) => id)}::uuid[])
      with ordinality as q (org, obj, version, id, n)
    cross join lateral (
      select hidden_slugs, renaming from objects where org = q.org and obj = q.obj and version = q.version limit 1) as o
    left join lateral (
      select r.id, ${updatedMicros} as micros, r.version,
             ${DATA}::text as data
      from records r where r.org = q.org and r.obj = q.obj and r.id = q.id limit 1) as r on true`)

class Reads implements RecordReads {
  readonly #db: Db
  readonly #long = new LongObjects()
  readonly #share = createSharedBatches<OneRead, StoredRecord | undefined>({
    sizeMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    waitMs: WAIT_MS,
    handle: (batch) => this.#handle(batch),
  })

  constructor(db: Db) {
    this.#db = db
  }

  find(db: Db, model: ObjectModel, id: string): Promise<StoredRecord | undefined> {
    const unbatched = () => findRecord(db, model, id)
    return this.#long.has(model.obj) ? unbatched() : this.#share(model.org, { model, id }, unbatched)
  }

  async #handle(batch: readonly Wanted[]): Promise<void> {
    const [first] = batch
    try {
      if (first && batch.length === 1) first.resolve(await findRecord(this.#db, first.model, first.id))
      else await this.#readAll(batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #readAll(batch: readonly Wanted[]): Promise<void> {
    const rows = new Map((await selectBatch(this.#db, batch)).map((row) => [row.n, row]))
    for (const [at, wanted] of batch.entries()) this.#settle(wanted, rows.get(at + 1))
  }

  #settle({ model, resolve, decline, reject }: Wanted, row: Row | undefined): void {
    if (!row) reject(new StaleModel())
    else if (row.id === null) resolve(undefined)
    else if (row.data !== null) resolve({ ...row, id: row.id, data: row.data })
    else {
      this.#long.add(model.obj)
      decline()
    }
  }
}

export const createRecordReads = (db: Db): RecordReads => new Reads(db)
