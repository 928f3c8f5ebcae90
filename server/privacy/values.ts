// The current and earlier values of records.
import sql from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { Db } from '../db/pool.ts'
import { candidatesOf, type MarkerCandidate, markerWords } from './markers.ts'

interface Owner {
  org: number
  obj: number
}

type Version = Record<string, unknown>

/** Types of attributes that are active, inactive or in the trash. */
async function selectTypes(db: Db, { org, obj }: Owner): Promise<Map<string, AttributeType>> {
  const rows = await db.many<{ slug: string; type: AttributeType }>(sql`
    select t.attribute->>'slug' as slug, t.attribute->>'type' as type from trash_attributes t
    where t.org = ${org} and t.obj = ${obj}
    union all
    select a.slug, a.type from attributes a where a.org = ${org} and a.obj = ${obj}`)
  return new Map(rows.map(({ slug, type }) => [slug, type]))
}

/** How many events are read. Each contains the whole record, so 200 contain the values of years. */
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

export interface RecordTexts {
  candidates: MarkerCandidate[]
  words: string[]
}

/** Texts of the records' current values, and of earlier values as far as events are kept. */
export async function selectTexts(db: Db, owner: Owner, ids: readonly string[]): Promise<RecordTexts> {
  const [versions, types] = [await selectVersions(db, owner, ids), await selectTypes(db, owner)]
  return { candidates: candidatesOf(versions, types), words: markerWords(versions, types) }
}
