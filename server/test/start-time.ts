// The start time of tests, for their processes, the database and pages. It is fixed in `npm test`, so that no test runs
// at midnight, the end of a month or a change of summer time by chance. `npm run verify -- dates` starts at such times.
import { randomInt } from 'node:crypto'
import type pg from 'pg'

/** A Wednesday at noon. */
const FIXED = '2026-06-10T12:00:00.000Z'

/** The environment variable: a time, or `now`. */
export const START_TIME = 'TEST_START'

/** A random minute of the years from 2026 to 2035. */
export const randomTime = (): string =>
  new Date(randomInt(Date.UTC(2026) / 60_000, Date.UTC(2036) / 60_000) * 60_000).toISOString()

/** @returns the milliseconds by which clocks of tests are ahead */
export function clockOffsetMs(now = Date.now()): number {
  const text = process.env[START_TIME] || FIXED
  if (text === 'now') return 0
  const startMs = Date.parse(text)
  if (Number.isNaN(startMs)) throw new Error(`${START_TIME} must be a time or "now", not "${text}"`)
  return startMs - now
}

/** Columns that the product compares with times of rows. */
const ACTIVITY_TIMES = ['backend_start', 'xact_start', 'query_start', 'state_change']
const FUNCTIONS = ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp']

/** Moves the clock of the role in the database and its copies: its functions precede those of PostgreSQL. */
export async function moveDatabaseClock(client: pg.Client, role: string, offsetMs: number): Promise<void> {
  if (offsetMs === 0) return
  await client.query(`create schema test_clock; grant usage on schema test_clock to ${role}`)
  for (const name of FUNCTIONS)
    await client.query(`
      create function test_clock.${name}() returns timestamptz language sql stable parallel safe
      return pg_catalog.${name}() + interval '${offsetMs} milliseconds'`)
  await client.query(`
    create function test_clock.uuidv7() returns uuid language sql volatile parallel safe
    return pg_catalog.uuidv7(interval '${offsetMs} milliseconds');
    create function test_clock.uuidv7(shift interval) returns uuid language sql volatile parallel safe
    return pg_catalog.uuidv7(shift + interval '${offsetMs} milliseconds')`)
  const { fields } = await client.query('select * from pg_catalog.pg_stat_activity limit 0')
  const columns = fields.map(({ name }) =>
    ACTIVITY_TIMES.includes(name) ? `${name} + interval '${offsetMs} milliseconds' as ${name}` : name,
  )
  await client.query(
    `create view test_clock.pg_stat_activity as select ${columns.join(', ')} from pg_catalog.pg_stat_activity;
    grant select on test_clock.pg_stat_activity to ${role}`,
  )
  await client.query(`alter role ${role} set search_path = public, test_clock, pg_catalog`)
}

/**
 * Moves the clock of JavaScript. It also runs as a script of a page, and so uses no names from outside.
 * @param offsetMs added to the time of the machine
 */
export function moveDate(offsetMs: number): void {
  const machine = globalThis.Date as DateConstructor & { machine?: DateConstructor }
  if (offsetMs === 0 || machine.machine) return
  const now = () => machine.now() + offsetMs
  const moved = new Proxy(machine, {
    apply: () => new machine(now()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, key, receiver) =>
      key === 'now' ? now : key === 'machine' ? machine : Reflect.get(target, key, receiver),
  })
  machine.prototype.constructor = moved
  globalThis.Date = moved
}

const machineDate = (): DateConstructor =>
  (globalThis.Date as DateConstructor & { machine?: DateConstructor }).machine ?? globalThis.Date

/** The time of the machine's clock, which TLS and the file system use. */
export const machineNow = (): number => machineDate().now()

/** For a test file with a separate process: there the product compares its clock with that of a library. */
export function restoreMachineDate(): void {
  globalThis.Date = machineDate()
  globalThis.Date.prototype.constructor = globalThis.Date
}
