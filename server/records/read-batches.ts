// Reads of single records: those that arrive while others are read become one statement.
import sql from 'sql-template-tag'
import { type ObjectModel, StaleModel } from '../attributes/models.ts'
import { createBatches, type Waiting } from '../batches.ts'
import type { Db } from '../db/pool.ts'
import { updatedMicros } from './sorting.ts'
import { findRecord, type StoredRecord, visibleBy } from './store.ts'

export interface RecordReads {
  /** @returns undefined when there is no such record @throws StaleModel */
  find(model: ObjectModel, id: string): Promise<StoredRecord | undefined>
}

type Wanted = Waiting<{ model: ObjectModel; id: string }, StoredRecord>

interface Row extends StoredRecord {
  /** Which of the batch, from 1. */
  n: number
  /** null when there is no such record */
  id: string
}

const BATCH_MAX = 100
const IN_FLIGHT_MAX = 4

const DATA = visibleBy({ hidden: sql`o.hidden_slugs`, renaming: sql`o.renaming` }, sql`r.data`)

/** Each with the organization of who asks. No row: the model is not the current one. */
const selectBatch = (db: Db, batch: readonly Wanted[]): Promise<Row[]> =>
  db.many<Row>(sql`
    select q.n::int as n, r.id, r.micros, r.version, r.data
    from unnest(${batch.map(({ model }) => model.org)}::int[], ${batch.map(({ model }) => model.obj)}::int[],
      ${batch.map(({ model }) => model.version)}::bigint[], ${batch.map(({ id }) => id)}::uuid[])
      with ordinality as q (org, obj, version, id, n)
    cross join lateral (
      select hidden_slugs, renaming from objects where org = q.org and obj = q.obj and version = q.version limit 1) as o
    left join lateral (
      select r.id, ${updatedMicros} as micros, r.version,
             ${DATA}::text as data
      from records r where r.org = q.org and r.obj = q.obj and r.id = q.id limit 1) as r on true`)

async function readBatch(db: Db, batch: readonly Wanted[]): Promise<void> {
  const rows = new Map((await selectBatch(db, batch)).map((row) => [row.n, row]))
  for (const [at, wanted] of batch.entries()) {
    const row = rows.get(at + 1)
    if (row) wanted.resolve(row.id === null ? undefined : row)
    else wanted.reject(new StaleModel())
  }
}

async function readOne(db: Db, { model, id, resolve }: Wanted): Promise<void> {
  resolve(await findRecord(db, model, id))
}

async function read(db: Db, batch: readonly Wanted[]): Promise<void> {
  const [first] = batch
  try {
    await (first && batch.length === 1 ? readOne(db, first) : readBatch(db, batch))
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

export function createRecordReads(db: Db): RecordReads {
  const batches = createBatches<Wanted>({
    sizeMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    handle: (batch) => read(db, batch),
  })
  return {
    find: (model, id) => new Promise((resolve, reject) => batches.add({ model, id, resolve, reject })),
  }
}
