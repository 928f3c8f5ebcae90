// Start position of a page of deleted rows, the last deleted first.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { AskedPage } from '../../http/paging.ts'

const MICROS = /^\d{1,17}$/

/** Whether the key of a cursor holds microseconds since 1970, the full precision of the time. */
export const isMicros = (key: unknown): key is string => typeof key === 'string' && MICROS.test(key)

/** @param row alias of rows with `deleted_at` and `id` */
export const beforePosition = (row: Sql, { position }: AskedPage): Sql =>
  position
    ? sql`and (${row}.deleted_at, ${row}.id) < (timestamptz 'epoch' + ${position.key ?? '0'}::bigint * interval '1 microsecond', ${position.id}::uuid)`
    : empty
