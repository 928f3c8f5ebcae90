// Which values belong only to one record: not to another record, the organization's model, or its people.
import sql from 'sql-template-tag'
import { SEARCH_TEXT_MAX } from '../../contract/limits.ts'
import { textNaming } from '../../contract/record-name.ts'
import type { Caller } from '../base/caller.ts'
import { AppError } from '../base/errors.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { selectObjects } from '../model/objects/store.ts'
import { searchRecords } from '../records/read/service.ts'
import { CHARACTERS_MAX, type Marker, type MarkerCandidate, type Markers } from './markers.ts'

interface Vocabulary {
  /** Names of objects, attributes and options, in lower case. */
  model: ReadonlySet<string>
  /** The single words of these names. */
  words: ReadonlySet<string>
  /** Names and addresses of the organization, its members and former members, which appear in all that they did. */
  people: ReadonlySet<string>
}

async function selectVocabulary(db: Db, org: number): Promise<Vocabulary> {
  const rows = await db.many<{ text: string }>(sql`
    select distinct lower(t.text) as text from (
      select unnest(array[o.plural_name, o.singular_name, o.slug]) as text from objects o where o.org = ${org}
      union all
      select unnest(array[a.name, a.slug]) from attributes a where a.org = ${org}
      union all
      select option #>> '{}' from attributes a
      cross join jsonb_path_query(a.config, 'strict $.** ? (@.type() == "string")', '{}', true) as option
      where a.org = ${org}) as t`)
  const people = await db.many<{ text: string }>(sql`
    with known as (
      select m.user_id from members m join organizations o on o.id = m.organization_id where o.org = ${org}
      union select f.user_id from former_members f where f.org = ${org})
    select lower(o.name) as text from organizations o where o.org = ${org}
    union select lower(t.text) from known k join users u on u.id = k.user_id
    cross join unnest(array[u.name, u.email]) as t(text)`)
  const model = rows.map(({ text }) => text)
  return {
    model: new Set(model),
    words: new Set(model.flatMap((text) => text.split(/[\s_]+/))),
    people: new Set(people.map(({ text }) => text)),
  }
}

function isKnown({ model, words, people }: Vocabulary, { kind, text }: Marker): boolean {
  const lower = text.toLowerCase()
  if (model.has(lower) || people.has(lower)) return true
  return kind === 'name' && lower.split(/\s+/).every((word) => words.has(word))
}

/** Whether a value, or a value inside it, equals the text. */
function isValue(value: unknown, lower: string): boolean {
  if (typeof value === 'string') return value.trim().slice(0, CHARACTERS_MAX).toLowerCase() === lower
  if (Array.isArray(value)) return value.some((one) => isValue(one, lower))
  if (typeof value !== 'object' || value === null) return false
  return textNaming(value).toLowerCase() === lower || Object.values(value).some((one) => isValue(one, lower))
}

interface Subjects {
  ctx: Context
  caller: Caller
  /** The record and all records that were merged into it. */
  ids: readonly string[]
}

/** If at least this many records match the text, it counts as shared. */
const HITS = 50

async function isSharedIn(
  { ctx, caller, ids }: Subjects,
  objectId: string,
  { text }: Marker,
): Promise<boolean> {
  const q = text.slice(0, SEARCH_TEXT_MAX)
  const page = await searchRecords(ctx, caller, objectId, { q, limit: HITS, count: false })
  const { records } = JSON.parse(page) as { records: { id: string; data: Record<string, unknown> }[] }
  const others = records.filter(({ id }) => !ids.includes(id))
  return records.length >= HITS || others.some(({ data }) => isValue(data, text.toLowerCase()))
}

/** For `catch`: a deleted object has no records. If an object cannot be searched, the text counts as shared. */
function ifRefused(error: unknown): boolean {
  if (error instanceof AppError && error.status < 500) return error.status !== 404
  throw error
}

const CANDIDATES = 100

/** The candidates that no other record of any object has, and that are no name in the organization. */
export async function ownMarkers(
  subjects: Subjects,
  candidates: readonly MarkerCandidate[],
): Promise<Markers['values']> {
  const { ctx, caller } = subjects
  const vocabulary = await selectVocabulary(ctx.db, caller.org)
  const objects = await selectObjects(ctx.db, caller.org)
  const own: Marker[] = []
  for (const candidate of candidates.filter((one) => !isKnown(vocabulary, one)).slice(0, CANDIDATES)) {
    let isShared = false
    for (const { id } of objects) isShared ||= await isSharedIn(subjects, id, candidate).catch(ifRefused)
    if (isShared) continue
    const { kind, text, reversed } = candidate
    own.push({ kind, text: text.toLowerCase() })
    if (reversed) own.push({ kind, text: reversed.toLowerCase() })
  }
  return own
}
