// Cuts pages of large rows: a page of a hundred records of 256 KiB would be in memory several times.
import sql, { type Sql } from 'sql-template-tag'

/** The limit for the large texts of a page. The row that exceeds it is the last row of the page. */
export const PAGE_BYTES_MAX = 4 * 1024 ** 2

export interface Measured {
  /** The number of rows before the cut. */
  rowCount: number
}

/**
 * The first rows of a statement that fit the limit, at least one.
 * @param text the column of `page` that may be large @param order the order of the statement, by columns of `page`
 */
export const cutToSize = (rows: Sql, { text, order }: { text: Sql; order: Sql }): Sql => sql`
  select * from (
    select page.*, count(*) over () as "rowCount",
      coalesce(sum(octet_length(${text})) over (
        order by ${order} rows between unbounded preceding and 1 preceding), 0) as "bytesBefore"
    from (${rows}) as page) as measured
  where "bytesBefore" <= ${PAGE_BYTES_MAX}::int`

export const isCut = (rows: readonly Measured[]): boolean => rows.length < (rows[0]?.rowCount ?? 0)
