// Where other records, activities, their history, or views, reports and workflows name a person. An erasure keeps these texts: a user must decide
// about them.
import sql, { type Sql } from 'sql-template-tag'
import { SEARCH_TEXT_MAX } from '../../contract/limits.ts'
import { LISTED_MENTIONS_MAX, type Mention, type MentionList } from '../../contract/privacy.ts'
import { namingAttribute, recordName } from '../../contract/record-name.ts'
import type { RecordList } from '../../contract/records.ts'
import { selectActivityPage } from '../activities/listing-store.ts'
import type { Caller } from '../base/caller.ts'
import { ifNotFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { withinMs } from '../db/time-limit.ts'
import { withModel } from '../model/attributes/models.ts'
import { selectObjects } from '../model/objects/store.ts'
import { recordNames } from '../records/names/names.ts'
import { searchRecords } from '../records/read/service.ts'
import { selectDefinitionMentions } from './definition-mentions.ts'
import type { MarkerCandidate } from './markers.ts'
import { likePatterns } from './matching.ts'
import { requirePrivacySubject } from './preview.ts'
import { selectMerged } from './subjects.ts'
import { selectTexts } from './values.ts'

const isTelling = ({ kind }: MarkerCandidate): boolean =>
  kind === 'email' || kind === 'phone' || kind === 'name'

const TEXTS = 10
const HITS = 50
const ROWS_MS = 5000

interface Search {
  ctx: Context
  caller: Caller
  /** The record and all records that were merged into it. */
  ids: readonly string[]
}

interface Found {
  mentions: Mention[]
  isComplete: boolean
}

function inObject({ ctx, caller, ids }: Search, objectId: string, found: string): Promise<Found> {
  return withModel(ctx, caller.org, objectId, async (model) => {
    const page = await searchRecords(ctx, caller, objectId, { q: found, limit: HITS, count: false })
    const { records, pagination } = JSON.parse(page) as RecordList
    const naming = namingAttribute([...model.attributes.values()])
    const mentions = records
      .filter(({ id }) => !ids.includes(id))
      .map((one) => ({ kind: 'record' as const, objectId, id: one.id, name: recordName(naming, one), found }))
    return { mentions, isComplete: pagination.nextCursor === undefined }
  }).catch(ifNotFound({ mentions: [], isComplete: true }))
}

async function inActivities({ ctx, caller }: Search, found: string): Promise<Found> {
  const span = { position: undefined, limit: HITS, offset: 0, count: false }
  const page = await selectActivityPage(ctx.db, caller.org, { q: found }, span)
  const mentions = page.found.slice(0, HITS).map(({ id, title }) => ({
    kind: 'activity' as const,
    objectId: null,
    id,
    name: title,
    found,
  }))
  return { mentions, isComplete: !page.isCut && page.found.length <= HITS }
}

/** Also searched, because activities in the trash may be restored. */
async function inTrashedActivities({ ctx, caller }: Search, texts: readonly string[]): Promise<Found> {
  const patterns = likePatterns(texts.map((text) => text.toLowerCase()))
  const rows = await withinMs(ctx.db, ROWS_MS, (tx) =>
    tx.many<Pick<Mention, 'id' | 'name'>>(sql`
      select t.id, t.title as name from trash_activities t
      where t.org = ${caller.org} and lower(t.title || chr(10) || t.summary) like any(${patterns}::text[])
      order by t.id limit ${LISTED_MENTIONS_MAX}`),
  )
  if (!rows) return { mentions: [], isComplete: false }
  const mentions = rows.map((row) => ({ kind: 'activity' as const, objectId: null, ...row, found: null }))
  return { mentions, isComplete: rows.length < LISTED_MENTIONS_MAX }
}

interface Past {
  objectId: string
  recordId: string
}

type PastKind = Extract<Mention['kind'], 'comment' | 'history'>

/** Queries of `objectId` and `recordId` for rows that contain one of the texts. */
const PAST: Readonly<Record<PastKind, (org: number, patterns: readonly string[]) => Sql>> = {
  comment: (org, patterns) => sql`
    select o.id as "objectId", c.record_id as "recordId"
    from (
      select c.obj, c.record_id, c.text from comments c where c.org = ${org}
      union all
      select t.obj, t.record_id, t.text from trash_comments t where t.org = ${org}
      union all
      select c.obj, c.record_id, concat_ws(chr(10), t.before, t.after)
      from comment_texts t join (
        select org, id, obj, record_id from comments union all select org, id, obj, record_id from trash_comments) as c
        on c.org = t.org and c.id = t.comment where t.org = ${org}) as c
    join objects o on o.org = ${org} and o.obj = c.obj and o.deleted_at is null
    where lower(c.text) like any(${patterns}::text[])`,
  history: (org, patterns) => sql`
    select o.id as "objectId", e.subject as "recordId"
    from events e join objects o on o.org = e.org and o.obj = e.obj and o.deleted_at is null
    where e.org = ${org} and lower(concat_ws(' ', e.data::text, e.changes::text)) like any(${patterns}::text[])`,
}

/** Records with comments or events that contain one of the texts. Events contain earlier values too. */
async function inRows(
  { ctx, caller, ids }: Search,
  kind: PastKind,
  texts: readonly string[],
): Promise<Found> {
  const patterns = likePatterns(texts.map((text) => text.toLowerCase()))
  const rows = await withinMs(ctx.db, ROWS_MS, (tx) =>
    tx.many<Past>(sql`
      select distinct q.* from (${PAST[kind](caller.org, patterns)}) as q
      where q."recordId" <> all(${ids}::uuid[]) limit ${LISTED_MENTIONS_MAX}`),
  )
  if (!rows) return { mentions: [], isComplete: false }
  const names = await recordNames(ctx, caller.org, rows)
  const mentions = names.map(({ objectId, recordId, name }) => ({
    kind,
    objectId,
    id: recordId,
    name,
    found: null,
  }))
  return { mentions, isComplete: rows.length < LISTED_MENTIONS_MAX }
}

async function inDefinitions({ ctx, caller }: Search, texts: readonly string[]): Promise<Found> {
  const patterns = likePatterns(texts.map((text) => text.toLowerCase()))
  const mentions = await withinMs(ctx.db, ROWS_MS, (tx) => selectDefinitionMentions(tx, caller.org, patterns))
  return {
    mentions: mentions ?? [],
    isComplete: mentions !== undefined && mentions.length < LISTED_MENTIONS_MAX,
  }
}

/** Each id once; a current text comes before an earlier one. */
function united(parts: readonly Found[], isComplete: boolean): MentionList {
  const byId = new Map<string, Mention>()
  for (const one of parts.flatMap(({ mentions }) => mentions)) if (!byId.has(one.id)) byId.set(one.id, one)
  const all = [...byId.values()]
  return {
    mentions: all.slice(0, LISTED_MENTIONS_MAX),
    isComplete: isComplete && all.length <= LISTED_MENTIONS_MAX && parts.every((part) => part.isComplete),
  }
}

/** @throws 404 not_found */
export async function listMentions(
  ctx: Context,
  caller: Caller,
  place: { objectId: string; recordId: string },
): Promise<MentionList> {
  const { model, id } = await requirePrivacySubject(ctx, caller.org, place)
  const ids = await selectMerged(ctx.db, model, id)
  const search = { ctx, caller, ids }
  const telling = (await selectTexts(ctx.db, model, ids)).candidates.filter(isTelling)
  const all = [...new Set(telling.map(({ text }) => text.slice(0, SEARCH_TEXT_MAX)))]
  const texts = all.slice(0, TEXTS)
  if (texts.length === 0) return { mentions: [], isComplete: true }
  const objects = await selectObjects(ctx.db, caller.org)
  const parts: Found[] = []
  for (const text of texts) {
    for (const object of objects) parts.push(await inObject(search, object.id, text))
    parts.push(await inActivities(search, text))
  }
  parts.push(await inTrashedActivities(search, texts))
  parts.push(await inRows(search, 'comment', texts), await inRows(search, 'history', texts))
  parts.push(await inDefinitions(search, texts))
  return united(parts, texts.length === all.length)
}
