// Copies an organization's rows while it is in use: all rows in one snapshot, then repeatedly the changed rows.
import sql, { raw } from 'sql-template-tag'
import { isUniqueViolation } from '../../base/error-code.ts'
import type { Db } from '../../db/pool.ts'
import { upsertRows } from '../copied-rows.ts'
import { findGuard, GuardChangedError } from './guard.ts'
import {
  deleteRows,
  inTarget,
  readInBatches,
  readKeyed,
  readMissing,
  readMovedRows,
  writeColumns,
  writeMovedRows,
  writing,
} from './rows.ts'
import { insertChangedTokens } from './store.ts'
import { hiddenColumns, isLate, type MovedTable, type Override, overridesOf } from './tables.ts'

/** One move, with the tables to copy, parents first. */
export interface Copy {
  org: number
  source: Db
  target: Db
  /** The id of the command. */
  holder: string
  tables: readonly MovedTable[]
  /** Whether the move is about to end and `showEarly` has begun: rows are then copied with their real values. */
  isClosing: boolean
  /** The directory, if it is the source: it stores the tokens of files that leave it. */
  directory: Db | undefined
  /** Aborts when the command must stop. */
  signal: AbortSignal
  onRows(count: number): void
}

async function noteCopied({ target, org, holder }: Copy, name: string): Promise<void> {
  const noted = await target.run(sql`
    update organization_moves set copied = array_append(copied, ${name})
    where org = ${org} and holder = ${holder}`)
  if (noted === 0) throw new GuardChangedError()
}

/** Runs `work` in a snapshot of the source, without a limit on its time. */
const inSnapshot = <Result>(source: Db, work: (at: Db) => Promise<Result>): Promise<Result> =>
  source.snapshot(async (at) => {
    await at.takeAnyTime()
    return work(at)
  })

/**
 * Copies the tables that are not copied yet. Before that, applies changes to the tables that are, in the same snapshot:
 * so a row is never copied before the row that it refers to.
 */
export async function copyTables(copy: Copy): Promise<void> {
  const { org, source, target, tables, signal } = copy
  const copied = new Set((await findGuard(target, org))?.copied)
  const missing = tables.filter((table) => !isLate(table) && !copied.has(table.name))
  if (missing.length === 0) return
  const applied = await inSnapshot(source, async (at) => {
    const changes = await applyChanges(copy, at, copied)
    for (const table of missing) {
      for await (const { rows, count } of readMovedRows(at, {
        table,
        org,
        columns: hiddenColumns(table, copy),
      })) {
        signal.throwIfAborted()
        await writeMovedRows(at, copy, { table, rows })
        copy.onRows(count)
      }
      await noteCopied(copy, table.name)
    }
    return changes
  })
  await forgetChanges(copy, applied)
}

/** The number of rows to copy. */
export async function countRows({ source, org, tables }: Copy): Promise<number> {
  const counts = tables.map(({ name }) => `(select count(*) from ${name} where org = ${org})`)
  return source.transaction(async (tx) => {
    await tx.takeAnyTime()
    return tx.value<number>(raw(`select (${counts.join(' + ')})::bigint as rows`))
  })
}

const KEYS_AT_ONCE = 1000

const NONE = '[]'

interface Changed {
  table: MovedTable
  org: number
  /** JSON text of up to KEYS_AT_ONCE keys. */
  keys: string
  count: number
}

/**
 * Keys of changed rows in the snapshot of `at`, in batches: all keys of the first table, then those of the next.
 * @param tables changes of other tables are left out
 */
export async function* readChanged(
  at: Db,
  org: number,
  tables: readonly MovedTable[],
): AsyncGenerator<Changed> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const names = [...byName.keys()]
  const query = sql`
    select name, key::text as key from move_changes where org = ${org} and name = any(${names}::text[])
    group by name, key order by array_position(${names}::text[], name)`
  for await (const rows of readInBatches<{ name: string; key: string }>(at, query, () => KEYS_AT_ONCE))
    for (const [name, found] of Map.groupBy(rows, (row) => row.name)) {
      const table = byName.get(name)
      if (!table) continue
      yield { table, org, keys: `[${found.map(({ key }) => key).join(',')}]`, count: found.length }
    }
}

interface Applied {
  /** Text of the snapshot up to which changes were applied. */
  snapshot: string
  changes: number
}

/** Only changes in the snapshot: later commits may have lower numbers and transaction ids. */
const forgetChanges = ({ source, org }: Copy, { snapshot, changes }: Applied) =>
  changes > 0 &&
  source.run(sql`
    delete from move_changes where org = ${org} and pg_visible_in_snapshot(tx, ${snapshot}::pg_snapshot)`)

/** Writes rows one by one, until none is left: a row may need a value that another row has just given up. */
async function writeOneByOne(tx: Db, table: MovedTable, rows: string): Promise<void> {
  let left = await tx.many<{ row: string }>(
    sql`select r::text as row from json_array_elements(${rows}::json) as r`,
  )
  while (left.length > 0) {
    const failed: typeof left = []
    let last: unknown
    for (const one of left)
      await tx
        .transaction((inner) => upsertRows(inner, table, `[${one.row}]`))
        .catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
          last = error
          failed.push(one)
        })
    if (failed.length === left.length) throw last
    left = failed
  }
}

async function upsert(
  copy: Copy,
  at: Db,
  { table, rows }: { table: MovedTable; rows: string },
): Promise<void> {
  try {
    await writeMovedRows(at, copy, { table, rows })
  } catch (error) {
    // In an outer transaction, no statement can follow the failure.
    if (copy.target.inTransaction || !isUniqueViolation(error)) throw error
    await writing(copy, (tx) => writeOneByOne(tx, table, rows))
  }
}

/**
 * Brings the tables to the state of the snapshot. Deletes referring rows first, and writes them last.
 * @param copied tables to which rows are written; rows are only deleted from the others
 */
async function applyChanges(copy: Copy, at: Db, copied?: ReadonlySet<string>): Promise<Applied> {
  const { org } = copy
  const tables = copy.tables.filter((table) => !isLate(table))
  let changes = 0
  for await (const one of readChanged(at, org, tables.toReversed())) {
    copy.signal.throwIfAborted()
    changes += one.count
    const keys = await readMissing(at, one)
    if (keys !== NONE) await inTarget(copy, (tx) => deleteRows(tx, { ...one, keys }))
  }
  const written = tables.filter(({ name }) => !copied || copied.has(name))
  for await (const one of readChanged(at, org, written)) {
    copy.signal.throwIfAborted()
    const rows = await readKeyed(at, { ...one, columns: hiddenColumns(one.table, copy) })
    if (rows !== NONE) await upsert(copy, at, { table: one.table, rows })
  }
  const snapshot = await at.value<string>(sql`select pg_current_snapshot()::text as snapshot`)
  return { snapshot, changes }
}

/** Copies the changed rows. @returns their number */
export async function copyLaterChanges(copy: Copy): Promise<number> {
  const applied = await inSnapshot(copy.source, (at) => applyChanges(copy, at))
  if (copy.directory && applied.changes > 0) await insertChangedTokens(copy.directory, copy.org)
  await forgetChanges(copy, applied)
  return applied.changes
}

interface Shown {
  table: MovedTable
  org: number
  overrides: readonly Override[]
}

/** Rows with real values in columns that were hidden so far, in batches. */
async function* readHidden(at: Db, { table, org, overrides }: Shown) {
  const names = overrides.map(({ column }) => column)
  const columns = [...new Set([...table.primary, ...names])].map((column) => `t.${column}`).join(', ')
  const when = overrides.map((one) => `(${one.when})`).join(' or ')
  for await (const { rows } of readMovedRows(at, { table, org, columns, when }))
    yield { columns: names, rows }
}

const hiddenOf = ({ org, tables }: Copy, isEarly: boolean): Shown[] =>
  tables
    .map((table) => ({ table, org, overrides: overridesOf(table, { isEarly }) }))
    .filter(({ overrides }) => overrides.length > 0)

/** Shows rows that may be many before writes are refused. From then on they are copied with their real values. */
export async function showEarly(copy: Copy): Promise<void> {
  copy.isClosing = true
  await inSnapshot(copy.source, async (at) => {
    for (const shown of hiddenOf(copy, true))
      for await (const values of readHidden(at, shown)) {
        copy.signal.throwIfAborted()
        await writing(copy, (tx) => writeColumns(tx, shown.table, values))
      }
  })
}

async function showRest(at: Db, tx: Db, copy: Copy): Promise<void> {
  for (const shown of hiddenOf(copy, false))
    for await (const values of readHidden(at, shown)) await writeColumns(tx, shown.table, values)
}

async function copyLate(at: Db, tx: Db, tables: readonly MovedTable[], org: number): Promise<void> {
  const late = tables.filter(isLate)
  for (const { name } of late.toReversed()) await tx.run(sql`delete from ${raw(name)} where org = ${org}`)
  for (const table of late) {
    const columns = table.columns.map((column) => `t.${column}`).join(', ')
    for await (const { rows } of readMovedRows(at, { table, org, columns })) await upsertRows(tx, table, rows)
  }
}

/** Copies the remaining changes of a closed source. @param finish runs in the same transaction of the target */
export async function copyRest(copy: Copy, finish: (at: Db, tx: Db) => Promise<void>): Promise<void> {
  const { org, source, tables } = copy
  await inSnapshot(source, async (at) => {
    await writing(copy, async (tx) => {
      // In one transaction, because each transaction takes time.
      await applyChanges({ ...copy, target: tx }, at)
      await copyLate(at, tx, tables, org)
      await showRest(at, tx, copy)
      await finish(at, tx)
    })
  })
}
