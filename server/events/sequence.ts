// What keeps the events of one record or activity in order. Its row holds a version, the time of its last change and
// its last place in the feed, and each change takes the next of all three under the lock of that row: ids of
// transactions are taken before that lock, and clocks differ.
import sql, { type Sql } from 'sql-template-tag'

/** The moment of the change that follows what `row` holds; never the same twice for one row. */
export const momentAfter = (row: Sql): Sql =>
  sql`greatest(clock_timestamp(), ${row}.updated_at + interval '1 microsecond')`

/**
 * Place in the feed (xid8) of the change that follows what `row` holds. It is never below the transaction's own
 * place, so that a consumer that stops below the oldest open transaction skips nothing; and never below the place of
 * the change before, whose transaction may have the higher id.
 */
export const orderAfter = (row: Sql): Sql => sql`greatest(current_event_order(), ${row}.event_order)`

/** SET items of an UPDATE that changes `row`, an alias of the row as it was. */
export const nextVersion = (row: Sql): Sql => sql`
  updated_at = ${momentAfter(row)}, version = ${row}.version + 1, event_order = ${orderAfter(row)}`

/**
 * Id of an event (UUIDv7) at a moment, to the microsecond: ids of one row grow with its versions.
 * @param micros microseconds since 1970; not volatile: it is read twice
 * @param seed uuid with 62 random bits at its end, as UUIDv4 and UUIDv7 have
 */
export const eventId = (micros: Sql, seed: Sql): Sql => sql`encode(
  substr(int8send(${micros} / 1000), 3) || int2send((28672 + ${micros} % 1000 * 4096 / 1000)::int2)
  || substr(uuid_send(${seed}), 9), 'hex')::uuid`

const microsOf = (moment: Sql) => sql`(extract(epoch from ${moment}) * 1000000)::bigint`

/**
 * Columns of a source of events: those of a new row, whose id holds the moment it was made. It is the seed too, so that
 * rows that were made together are announced in the order of their ids.
 */
export const firstEvent = (id: Sql): Sql => sql`
  ${eventId(microsOf(sql`uuid_extract_timestamp(${id})`), id)} as event, 1 as version, current_event_order() as event_order`

/** Columns of a source of events: those of `row` after its change, with updated_at, version and event_order. */
export const nextEvent = (row: Sql, seed: Sql): Sql => sql`
  ${eventId(microsOf(sql`${row}.updated_at`), seed)} as event, ${row}.version, ${row}.event_order`

/** RETURNING items of a DELETE of `row`: what `lastEvent` reads. */
export const lastVersion = (row: Sql): Sql => sql`
  ${momentAfter(row)} as deleted_at, ${row}.version + 1 as version, ${orderAfter(row)} as event_order`

/** Columns of a source of events: those of a deleted row, of which `lastVersion` was returned. */
export const lastEvent = (row: Sql, seed: Sql): Sql => sql`
  ${eventId(microsOf(sql`${row}.deleted_at`), seed)} as event, ${row}.version, ${row}.event_order`
