// Statements about saved views, reports and workflows that contain options of an attribute.
import sql from 'sql-template-tag'
import type { Author } from '../base/caller.ts'
import { parseJson } from '../base/json.ts'
import type { Db } from '../db/pool.ts'
import type { OptionNames } from '../model/attributes/models.ts'
import { renamedReport, renamedWorkflow } from './renamed-definitions.ts'
import { type References, type RenamedAttribute, renamedFilter } from './renamed-filters.ts'

interface RenamedOptions {
  org: number
  obj: number
  slug: string
  names: OptionNames
}

type Stored = { id: string; definition: string }
/** Parses a definition so that numbers keep their digits. */
const read = ({ definition }: Stored) => parseJson(definition) as Record<string, unknown>

/** Texts that a stored definition contains if it names an option. Most definitions name none. */
const mentions = (names: OptionNames) => Object.keys(names).map((name) => JSON.stringify(name))

/** Returns a lookup of the objects that references lead to, by id or slug of the referring object. */
async function selectReferences(tx: Db, org: number): Promise<References> {
  const rows = await tx.many<{ id: string; slug: string; attribute: string; target: string }>(sql`
    select o.id, o.slug, a.slug as attribute, t.id as target
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    join objects t on t.org = a.org and t.obj = a.target_obj
    where a.org = ${org} and a.deleted_at is null and o.deleted_at is null`)
  const targets = new Map(
    rows.flatMap(({ id, slug, attribute, target }) => [
      [`${id}.${attribute}`, target] as const,
      [`${slug}.${attribute}`, target] as const,
    ]),
  )
  return (object, slug) => targets.get(`${String(object).toLowerCase()}.${slug}`)
}

interface Renaming {
  options: RenamedOptions
  attribute: RenamedAttribute
  target: References
}

/** Views of other objects can reach the attribute by paths along references. */
async function renameInViews(
  tx: Db,
  { options: { org, names }, attribute, target }: Renaming,
): Promise<void> {
  const views = await tx.many<Stored & { objectId: string }>(sql`
    select v.id, v.state::text as definition, o.id as "objectId"
    from views v join objects o on o.org = v.org and o.obj = v.obj
    where v.org = ${org} and exists (
      select from unnest(${mentions(names)}::text[]) as m(name) where strpos(v.state::text, m.name) > 0)
    order by v.id for no key update of v`)
  const renamed = renamedFilter(attribute, target)
  for (const view of views) {
    const state = read(view)
    const filter = renamed(state['filter'], view.objectId)
    if (filter === state['filter']) continue
    await tx.run(sql`
      update views set state = ${JSON.stringify({ ...state, filter })}::jsonb,
        updated_at = greatest(now(), updated_at + interval '1 microsecond')
      where org = ${org} and id = ${view.id}`)
  }
}

async function renameInReports(
  tx: Db,
  { options: { org, names }, attribute, target }: Renaming,
): Promise<void> {
  const reports = await tx.many<Stored>(sql`
    select id, definition::text as definition from reports
    where org = ${org} and exists (
      select from unnest(${mentions(names)}::text[]) as m(name) where strpos(definition::text, m.name) > 0)
    order by id for no key update`)
  for (const report of reports) {
    const definition = read(report)
    const renamed = renamedReport(definition, attribute, target)
    if (renamed === definition) continue
    await tx.run(sql`
      update reports set definition = ${JSON.stringify(renamed)}::jsonb, version = version + 1, updated_at = now()
      where org = ${org} and id = ${report.id}`)
  }
}

async function renameInWorkflows(
  tx: Db,
  { org, userId }: Author,
  { options: { names }, attribute, target }: Renaming,
): Promise<void> {
  const workflows = await tx.many<Stored & { version: number }>(sql`
    select w.id, w.version, v.definition::text as definition
    from workflows w join workflow_versions v on v.org = w.org and v.workflow = w.id and v.version = w.version
    where w.org = ${org} and exists (
      select from unnest(${mentions(names)}::text[]) as m(name) where strpos(v.definition::text, m.name) > 0)
    order by w.id for no key update of w`)
  for (const { id, version, ...stored } of workflows) {
    const definition = read({ id, ...stored })
    const renamed = renamedWorkflow(definition, attribute, target)
    if (renamed === definition) continue
    await tx.run(sql`
      with version as (
        insert into workflow_versions (org, workflow, version, definition, created_by)
        values (${org}, ${id}, ${version + 1}, ${JSON.stringify(renamed)}::jsonb, ${userId}::uuid))
      update workflows set version = ${version + 1}, updated_at = greatest(now(), updated_at + interval '1 microsecond')
      where org = ${org} and id = ${id}`)
  }
}

/** Replaces the old options by the new ones in all views, reports and workflows. */
export async function renameInDefinitions(
  tx: Db,
  author: Author,
  { objectId, objectSlug, ...options }: RenamedOptions & { objectId: string; objectSlug: string },
): Promise<void> {
  const attribute: RenamedAttribute = {
    slug: options.slug,
    names: options.names,
    isObject: (ref) => String(ref).toLowerCase() === objectId || ref === objectSlug,
  }
  const renaming = { options, attribute, target: await selectReferences(tx, options.org) }
  await renameInViews(tx, renaming)
  await renameInReports(tx, renaming)
  await renameInWorkflows(tx, author, renaming)
}
