// Keeps the events of one record or activity in order. Its row has a version, the time of its last change and its
// last place in the feed. Each change takes the next value of all three under the row lock, because transaction ids
// are assigned before that lock, and clocks differ.
import sql, { type Sql } from 'sql-template-tag'

/** The time of the next change of `row`; always later than the previous change. */
export const timeAfter = (row: Sql, now = sql`clock_timestamp()`): Sql =>
  sql`greatest(${now}, ${row}.updated_at + interval '1 microsecond')`

/**
 * The place in the feed (xid8) of the next change of `row`. It is not below the transaction's own id, so that a
 * consumer that stops below the oldest open transaction skips nothing, and not below the place of the previous
 * change, whose transaction may have a higher id.
 */
const orderAfter = (row: Sql): Sql => sql`greatest(current_event_order(), ${row}.event_order)`

/** SET items of an UPDATE; `row` is the alias of the old row, `time` of the change is later than the previous change. */
export const nextVersion = (row: Sql, time = timeAfter(row)): Sql => sql`
  updated_at = ${time}, version = ${row}.version + 1, event_order = ${orderAfter(row)}`

/**
 * Id of an event (UUIDv7) with a time in microseconds: ids of the events of one row increase with its versions.
 * @param micros microseconds since 1970; not volatile: it is read twice
 * @param seed uuid with 62 random bits at its end, as UUIDv4 and UUIDv7 have
 */
export const eventId = (micros: Sql, seed: Sql): Sql => sql`encode(
  substr(int8send(${micros} / 1000), 3) || int2send((28672 + ${micros} % 1000 * 4096 / 1000)::int2)
  || substr(uuid_send(${seed}), 9), 'hex')::uuid`

const microsOf = (timestamp: Sql) => sql`(extract(epoch from ${timestamp}) * 1000000)::bigint`

/**
 * Columns of a source of events for a new row with this `id` (UUIDv7), whose event has the time of its creation, which the
 * id contains in milliseconds, and its random bits: events of rows created together are in the order of their ids.
 */
export const firstEvent = (id: Sql): Sql => sql`
  overlay(${id}::text placing '7000' from 15 for 4)::uuid as event, 1 as version, current_event_order() as event_order`

/** Columns of a source of events for a changed `row`, with id, updated_at, version and event_order. */
export const nextEvent = (row: Sql): Sql => sql`
  ${eventId(microsOf(sql`${row}.updated_at`), sql`${row}.id`)} as event, ${row}.version, ${row}.event_order`

/** RETURNING items of a DELETE of `row`, for `lastEvent`. */
export const lastVersion = (row: Sql): Sql => sql`
  ${timeAfter(row)} as deleted_at, ${row}.version + 1 as version, ${orderAfter(row)} as event_order`

/** Columns of a source of events for a deleted row with its id and `lastVersion`. */
export const lastEvent = (row: Sql): Sql => sql`
  ${eventId(microsOf(sql`${row}.deleted_at`), sql`${row}.id`)} as event, ${row}.version, ${row}.event_order`
