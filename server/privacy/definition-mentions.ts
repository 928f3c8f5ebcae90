// Views, reports and workflows whose name or definition contains a text. Users edit them.
import sql, { join, type Sql } from 'sql-template-tag'
import { LISTED_MENTIONS_MAX, type Mention } from '../../contract/privacy.ts'
import type { Db } from '../db/pool.ts'

type DefinitionKind = Extract<Mention['kind'], 'view' | 'report' | 'workflow'>

/** Queries of objectId, id, name and texts. Only the current version of a workflow is edited. */
const DEFINITIONS: Readonly<Record<DefinitionKind, (org: number) => Sql>> = {
  view: (org) => sql`
    select o.id as "objectId", v.id, v.name, v.state::text as texts
    from views v join objects o on o.org = v.org and o.obj = v.obj and o.deleted_at is null where v.org = ${org}`,
  report: (org) => sql`
    select null::uuid as "objectId", r.id, r.name, concat_ws(chr(10), r.description, r.definition::text) as texts
    from reports r where r.org = ${org}`,
  workflow: (org) => sql`
    select null::uuid as "objectId", w.id, w.name, concat_ws(chr(10), w.description, v.definition::text) as texts
    from workflows w join workflow_versions v on v.org = w.org and v.workflow = w.id and v.version = w.version
    where w.org = ${org}`,
}

const KINDS = Object.keys(DEFINITIONS) as DefinitionKind[]

const queryOf = (org: number, kind: DefinitionKind, patterns: readonly string[]) => sql`
  (select ${kind}::text as kind, d."objectId", d.id, d.name, null::text as found from (${DEFINITIONS[kind](org)}) as d
   where lower(concat_ws(chr(10), d.name, d.texts)) like any(${patterns}::text[])
   order by d.id limit ${LISTED_MENTIONS_MAX})`

/** @param patterns for `like`, in lower case */
export const selectDefinitionMentions = (
  tx: Db,
  org: number,
  patterns: readonly string[],
): Promise<Mention[]> =>
  tx.many<Mention>(
    join(
      KINDS.map((kind) => queryOf(org, kind, patterns)),
      ' union all ',
    ),
  )
