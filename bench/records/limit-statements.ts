// The prepared statements that answer questions on the limit's table.
import sql, { raw, type Sql } from 'sql-template-tag'
import { LIMIT_COLUMNS, LIMIT_NAME } from './limit-table.ts'
import { PAGE_SIZE, type Question } from './questions.ts'

/** A statement as it is sent to the limit's process. */
export interface Statement {
  name: string
  text: string
  values: unknown[]
}

const statement = (name: string, { text, values }: Sql): Statement => ({ name, text, values })

interface Order {
  key: Sql
  type: Sql
  direction: Sql
  beyond: Sql
}

const ascending = (key: Sql, type: Sql): Order => ({ key, type, direction: sql`asc`, beyond: sql`>` })

/** Each order has an index. */
const ORDERS = {
  newest: { key: sql`created_at`, type: sql`timestamptz`, direction: sql`desc`, beyond: sql`<` },
  employees: ascending(sql`employees`, sql`int`),
  name: ascending(raw(LIMIT_NAME), sql`text`),
  updated_at: ascending(sql`updated_at`, sql`timestamptz`),
} satisfies Record<'newest' | NonNullable<Question['sort']>, Order>

const orderOf = ({ sort }: Pick<Question, 'sort'>): Order => ORDERS[sort ?? 'newest']

/** Start of a page by cursor: the last record before the page. */
export interface SortPosition {
  id: string
  /** Sort value of the record, as text. */
  key: string
}

/** The position of a record in the order of a question. */
export const sortPositionOf = (question: Pick<Question, 'sort'>, id: string): Sql =>
  sql`select id, (${orderOf(question).key})::text as key from bench.people where id = ${id}`

/** Skips the offset in the index only, and fetches only the rows of the page. */
const offsetPage = (order: Sql, offset: number) => sql`
  select p.* from (select id from bench.people order by ${order} limit ${PAGE_SIZE} offset ${offset}) k
  join bench.people p using (id) order by ${order}`

function page(question: Question, after: SortPosition | undefined): Sql {
  const { where, offset } = question
  const { key, type, direction, beyond } = orderOf(question)
  const order = sql`${key} ${direction}, id ${direction}`
  if (offset !== undefined) return offsetPage(order, offset)
  const rest = after
    ? sql`${where} and (${key}, id) ${beyond} (${after.key}::${type}, ${after.id}::uuid)`
    : where
  return sql`select * from bench.people where ${rest} order by ${order} limit ${PAGE_SIZE}`
}

/** A row without an id holds the total of an empty page. */
const answer = (total: Sql, rows: Sql) =>
  sql`select ${total} as total, p.* from (select) as one left join (${rows}) as p on true`

/** @param after start of a page by cursor @returns the page with its total in one statement, and the page only */
export function statementsOf(question: Question, after: SortPosition | undefined): Statement[] {
  const rows = page(question, after)
  const total = sql`(select count(*) from bench.people where ${question.where})`
  return [
    statement(question.name, answer(total, rows)),
    statement(`${question.name}, page`, answer(sql`null::bigint`, rows)),
  ]
}

export const GET_STATEMENT = 'select row_to_json(p)::text as record from bench.people p where id = $1'

const NEW = LIMIT_COLUMNS.replace('id, created_at, updated_at, ', '')

/** $1: a JSON array of rows. */
export const INSERT_STATEMENT = `insert into bench.people (${LIMIT_COLUMNS})
  select uuidv7(), now(), now(), ${NEW} from json_populate_recordset(null::bench.people, $1)`

/** $1: id, $2: JSON text with employees. */
export const PATCH_STATEMENT = `update bench.people p set employees = ($2::json->>'employees')::int, updated_at = now()
  where id = $1 returning row_to_json(p)::text as record`
