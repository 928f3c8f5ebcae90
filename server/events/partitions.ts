// Events and their deliveries are in daily partitions (UTC, by the time in the event's UUIDv7), which are created
// ahead and dropped as a whole.
import sql, { raw } from 'sql-template-tag'
import { idTime, lowestIdAt } from '../base/id.ts'
import { type Db, errorCode } from '../db/pool.ts'

/** Tables partitioned by the id of an event. */
const TABLES = ['events', 'webhook_messages', 'webhook_deliveries', 'webhook_attempts'] as const

const DAY_MS = 86_400_000
const DAYS_AHEAD = 7
const CHECK_VIOLATION = '23514'
const LOCK = 7402155390211n

const startOfDay = (at: Date) => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
const plusDays = (day: Date, days: number) => new Date(day.getTime() + days * DAY_MS)
const nameOf = (table: string, day: Date) => `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`

/** The day in a partition's name; undefined for the default partition. */
function dayOf(name: string): Date | undefined {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T00:00:00.000Z`)
}

async function listPartitions(db: Db): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = any(${TABLES.map(String)}::regclass[])`)
  return rows.map(({ name }) => name)
}

/** The first day that has a partition; undefined: there is none. */
export async function oldestDay(db: Db): Promise<Date | undefined> {
  const names = (await listPartitions(db)).filter((name) => name.startsWith('events_')).toSorted()
  return names.map(dayOf).find((day) => day !== undefined)
}

/** DDL takes no parameters. The text contains only a table name of this module and a date. */
async function createPartition(db: Db, { table, day }: { table: string; day: Date }): Promise<void> {
  const [from, to] = [lowestIdAt(day), lowestIdAt(plusDays(day, 1))]
  const name = nameOf(table, day)
  await db
    .attempt((one) =>
      one.run(raw(`create table ${name} partition of ${table} for values from ('${from}') to ('${to}')`)),
    )
    .catch((error) => {
      // The default partition already has rows of that day. They stay there, and new rows of the day go there too.
      if (errorCode(error) !== CHECK_VIOLATION) throw error
    })
}

const LOCK_TIMEOUT = '2s'

/**
 * Sets a lock timeout. An open transaction on events, such as a dump, can block the creation or removal of a
 * partition for hours, and every write would wait behind it.
 */
const boundWait = (tx: Db) => tx.run(sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`)

/**
 * Creates the partitions of today and the coming week; several processes may call it concurrently.
 * @throws 55P03 while an open transaction is in the way
 */
export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, days) => plusDays(startOfDay(now), days))
  const wanted = TABLES.flatMap((table) => days.map((day) => ({ table, day })))
  const missing = async (on: Db) => {
    const present = new Set(await listPartitions(on))
    return wanted.filter(({ table, day }) => !present.has(nameOf(table, day)))
  }
  if ((await missing(db)).length === 0) return
  await db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
    await boundWait(tx)
    for (const one of await missing(tx)) await createPartition(tx, one)
  })
}

/** Creates the partitions that another database has, before its rows are copied. */
export async function ensureSameDays(from: Db, db: Db): Promise<void> {
  const present = new Set(await listPartitions(db))
  for (const name of await listPartitions(from)) {
    const day = dayOf(name)
    if (day === undefined || present.has(name)) continue
    const table = TABLES.find((one) => nameOf(one, day) === name)
    if (table)
      await db.transaction(async (tx) => {
        await boundWait(tx)
        await createPartition(tx, { table, day })
      })
  }
}

const dropPartition = (db: Db, name: string) =>
  db.transaction(async (tx) => {
    await boundWait(tx)
    await tx.run(raw(`drop table if exists ${name}`))
  })

const REST = ['webhook_messages_other', 'webhook_deliveries_other', 'webhook_attempts_other'] as const

/** The newest event of today or earlier in the default partition. */
async function newestOfRest(db: Db, today: Date): Promise<Date | undefined> {
  const row = await db.maybeOne<{ id: string }>(
    sql`select id from events_other where id < ${lowestIdAt(plusDays(today, 1))} order by id desc limit 1`,
  )
  return row && startOfDay(new Date(idTime(row.id)))
}

/** The day of the newest event of today or earlier; undefined without events. */
async function newestDay(db: Db, partitions: readonly string[], today: Date): Promise<Date | undefined> {
  const rest = await newestOfRest(db, today)
  const names = partitions
    .filter((name) => name.startsWith('events_'))
    .toSorted()
    .reverse()
  for (const name of names) {
    const day = dayOf(name)
    if (day === undefined || day > today || (rest && day < rest)) continue
    const { isUsed } = await db.one<{ isUsed: boolean }>(
      sql`select exists (select from ${raw(name)}) as "isUsed"`,
    )
    if (isUsed) return day
  }
  return rest
}

/**
 * Drops events older than `days`, with their deliveries. The age is counted from the day of the newest event, so a
 * clock that jumped ahead drops nothing, and an idle installation keeps its last days. Events in the future, written
 * with a wrong clock, do not count.
 * @param now a trusted time (jobs/deletion-clock.ts)
 * @returns names of the dropped partitions
 */
export async function dropOldEvents(db: Db, now: Date, days: number): Promise<string[]> {
  const partitions = await listPartitions(db)
  const today = startOfDay(now)
  const limit = plusDays((await newestDay(db, partitions, today)) ?? today, -days)
  const old = partitions.filter((name) => {
    const day = dayOf(name)
    return day !== undefined && day < limit
  })
  // Ordered by name, so deliveries are dropped before messages: no delivery is left without its message.
  for (const name of old.toSorted()) await dropPartition(db, name)
  await db.run(sql`delete from events_other where id < ${lowestIdAt(limit)}`)
  for (const rest of REST) await db.run(sql`delete from ${raw(rest)} where event < ${lowestIdAt(limit)}`)
  return old
}
