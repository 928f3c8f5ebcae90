// The values that records have and had, and which of them tell whose data it is.
import sql from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { Caller, Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import { searchRecords } from '../records/reading.ts'
import { type Candidate, candidatesOf } from './markers.ts'

interface Owner {
  org: number
  obj: number
}

type Version = Record<string, unknown>

/** Of attributes that are active, inactive or in the trash. */
async function selectTypes(db: Db, { org, obj }: Owner): Promise<Map<string, AttributeType>> {
  const rows = await db.many<{ slug: string; type: AttributeType }>(sql`
    select t.attribute->>'slug' as slug, t.attribute->>'type' as type from trash_attributes t
    where t.org = ${org} and t.obj = ${obj}
    union all
    select a.slug, a.type from attributes a where a.org = ${org} and a.obj = ${obj}`)
  return new Map(rows.map(({ slug, type }) => [slug, type]))
}

/** Of each event the whole record: 200 are enough to have seen the values of years. */
const VERSIONS = 200

async function selectVersions(db: Db, { org, obj }: Owner, ids: readonly string[]): Promise<Version[]> {
  const isOne = sql`any(${ids}::uuid[])`
  const rows = await db.many<{ data: Version }>(sql`
    select r.data from records r where r.org = ${org} and r.obj = ${obj} and r.id = ${isOne}
    union all
    select t.data from trash t where t.org = ${org} and t.obj = ${obj} and t.id = ${isOne}
    union all
    select jsonb_build_object(d.attribute->>'slug', v.value) from trash_values v
    join trash_attributes d on d.org = v.org and d.attr = v.attr
    where v.org = ${org} and d.obj = ${obj} and v.id = ${isOne}
    union all
    (select e.data from events e where e.org = ${org} and e.subject = ${isOne} and e.obj = ${obj}
     order by e.id desc limit ${VERSIONS})`)
  return rows.map(({ data }) => data)
}

/** The values of texts, names and the like that the records have, and had as far as events are kept. */
export const selectCandidates = async (db: Db, owner: Owner, ids: readonly string[]): Promise<Candidate[]> =>
  candidatesOf(await selectVersions(db, owner, ids), await selectTypes(db, owner))

/** Whether a record beside these has the value: then it does not tell whose it is. */
async function isShared(
  ctx: Context,
  caller: Caller,
  { objectId, ids }: { objectId: string; ids: readonly string[] },
  { slug, type, text }: Candidate,
): Promise<boolean> {
  const operator = type === 'name' || type === 'address' ? 'contains' : 'equals'
  const filter = { attributeSlug: slug, operator, value: text } as const
  const found = await searchRecords(ctx, caller, objectId, {
    filter,
    limit: Math.min(100, ids.length + 1),
    count: false,
  })
  const { records } = JSON.parse(found) as { records: { id: string }[] }
  return records.some(({ id }) => !ids.includes(id))
}

/** For `catch`: an attribute or object that is not there any more, or a value that cannot be searched, is not shared. */
function ifUnsearchable(error: unknown): false {
  if (error instanceof AppError && error.status < 500) return false
  throw error
}

const CANDIDATES = 200

/** Those that no other record of the object has. */
export async function ownTexts(
  ctx: Context,
  caller: Caller,
  { objectId, ids }: { objectId: string; ids: readonly string[] },
  candidates: readonly Candidate[],
): Promise<string[]> {
  const own = new Set<string>()
  for (const candidate of candidates.slice(0, CANDIDATES)) {
    const shared = await isShared(ctx, caller, { objectId, ids }, candidate).catch(ifUnsearchable)
    if (!shared) own.add(candidate.text.toLowerCase())
  }
  return [...own]
}
