// Lists the trash of an object, the last deleted record first.
import sql, { type Sql } from 'sql-template-tag'
import type { TrashQuery } from '../../../contract/trash.ts'
import { type Caller, shownUser } from '../../base/caller.ts'
import { idTime } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { sealOf } from '../../http/cursor.ts'
import { cutToSize, isCut, type Measured } from '../../http/page-size.ts'
import { type AskedPage, askedPage, pageOf } from '../../http/paging.ts'
import { type ModelContext, type ObjectModel, StaleModel, withModel } from '../../model/attributes/models.ts'
import { isKept } from '../../model/objects/trash-rows.ts'
import { isoTime } from '../rows/iso-time.ts'
import { microsOf } from '../rows/sorting.ts'
import { isCurrent } from '../rows/stored-record.ts'
import { beforePosition, isMicros } from './page-position.ts'

interface Row extends Measured {
  id: string
  /** JSON text */
  data: string
  version: number
  /** Microseconds since 1970. */
  deletedAt: number
  deletedBy: { id: string; name: string; email: string } | null
  days: number
}

/**
 * The values of active attributes. A new attribute may have the slug of a deleted one, so attributes are also matched
 * by number.
 */
const shownData = ({ attributes }: ObjectModel): Sql => {
  const shown = [...attributes.values()]
  return sql`(
    select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(t.data) as e
    join unnest(${shown.map(({ slug }) => slug)}::text[], ${shown.map(({ attr }) => attr)}::int[]) as s(slug, attr)
      on s.slug = e.key and s.attr = any(t.attrs))`
}

/** The time as a number, so that a cursor keeps all its digits. */
const micros = microsOf(sql`t.deleted_at`)

/** @throws StaleModel */
async function selectPage(db: Db, model: ObjectModel, asked: AskedPage) {
  const { org, obj } = model
  const { limit, offset, count } = asked
  const own = sql`t.org = ${org} and t.obj = ${obj} and ${isKept}`
  const records = sql`
    select t.id, t.version, ${micros} as micros, t.actor, ${shownData(model)}::text as data
    from trash t where ${own} ${beforePosition(sql`t`, asked)} order by t.deleted_at desc, t.id desc
    limit ${limit + 1} offset ${offset}`
  const page = cutToSize(records, { text: sql`page.data`, order: sql`page.micros desc, page.id desc` })
  const rows = await db.many<{
    fresh: boolean
    total: number | null
    entry: Row | null
    data: string | null
  }>(sql`
    select ${isCurrent(model)} as fresh,
      ${count ? sql`(select count(*) from trash t where ${own})` : sql`null::bigint`} as total, page.data,
      case when page.id is not null then json_build_object('id', page.id, 'version', page.version, 'deletedAt', page.micros,
        'deletedBy', case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end,
        'days', o.trash_days, 'rowCount', page."rowCount") end as entry
    from organizations o
    left join lateral (${page}) as page on true
    left join users u on u.id = page.actor
    where o.org = ${org} order by page.micros desc, page.id desc`)
  const [first] = rows
  if (!first?.fresh) throw new StaleModel()
  const entries = rows.flatMap(({ entry, data }) => (entry ? [{ ...entry, data: data ?? '{}' }] : []))
  return { total: first.total ?? undefined, found: entries, isCut: isCut(entries) }
}

const DAY_MS = 86_400_000

function entryJson({ id: objectId }: ObjectModel, caller: Caller, row: Row): string {
  const { id, data, version, deletedAt, deletedBy, days } = row
  const deletedMs = Math.floor(deletedAt / 1000)
  return `{"id":"${id}","objectId":"${objectId}","data":${data},"createdAt":"${isoTime(idTime(id))}","version":${version},"deletedAt":"${isoTime(deletedMs)}","deletedBy":${JSON.stringify(shownUser(caller, deletedBy))},"purgeAt":"${isoTime(deletedMs + days * DAY_MS)}"}`
}

/** @returns JSON text shaped as TrashList @throws 400 invalid_parameter, 404 not_found */
export function listTrash(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  query: TrashQuery,
): Promise<string> {
  const { org } = caller
  return withModel(ctx, org, objectRef, async (model) => {
    const asked = askedPage(query, { seal: sealOf(['trash', org, model.obj]), isKey: isMicros })
    const positionOf = ({ deletedAt, id }: Row) => ({ key: String(deletedAt), id })
    const { rows, pagination } = pageOf(asked, {
      ...(await selectPage(ctx.db, model, asked)),
      positionOf,
    })
    const records = rows.map((row) => entryJson(model, caller, row)).join(',')
    return `{"records":[${records}],"pagination":${JSON.stringify(pagination)}}`
  })
}
