// Checks definitions with the objects, reports and other data of the organization.
import sql from 'sql-template-tag'
import type { Problem } from '../../contract/errors.ts'
import type { WorkflowDefinition } from '../../contract/workflows.ts'
import type { Caller } from '../base/caller.ts'
import { invalid } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { selectFilterMembers } from '../records/filters/named-members.ts'
import { checkDefinition } from './check/definition.ts'
import type { Known } from './check/known.ts'
import { structureProblems } from './check/structure.ts'

/** Parses a definition that can be saved, also incomplete. @throws 400 validation_error naming paths inside it */
export function readDefinition(input: unknown): WorkflowDefinition {
  const problems = structureProblems(input)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return input as WorkflowDefinition
}

/** The caller for whom a definition is checked. */
export type Checker = Pick<Caller, 'org' | 'scopes'>

/**
 * The parts of the organization that a definition can refer to: objects (also inactive ones) with their active
 * attributes, endpoints, reports and secrets.
 */
const selectKnown = (db: Db, org: number): Promise<Omit<Known, 'members'>> =>
  db.one<Omit<Known, 'members'>>(sql`
    select
      coalesce((
        select json_agg(json_build_object('id', o.id, 'slug', o.slug, 'isActive', o.is_active, 'attributes', coalesce((
            select json_agg(json_build_object('slug', a.slug, 'name', a.name, 'type', a.type, 'isRequired', a.is_required,
              'isUnique', a.is_unique, 'isList', a.is_list, 'config', a.config, 'defaultValue', a.default_value) order by a.display_order, a.attr)
            from attributes a
            where a.org = o.org and a.obj = o.obj and a.is_active and a.deleted_at is null), '[]')) order by o.obj)
        from objects o where o.org = n.org and o.deleted_at is null), '[]') as objects,
      array(select id::text from webhook_endpoints where org = n.org) as endpoints,
      array(select id::text from reports where org = n.org) as reports,
      array(select name from workflow_secrets where org = n.org) as secrets,
      json_build_object('country', n.country, 'currency', n.currency) as locale
    from organizations n where n.org = ${org}`)

/** All problems that prevent enabling a definition. */
export async function definitionProblems(
  db: Db,
  { org, scopes }: Checker,
  definition: WorkflowDefinition,
): Promise<Problem[]> {
  const known = await selectKnown(db, org)
  const members = await selectFilterMembers(db, org, definition)
  return checkDefinition(definition, { ...known, members, locale: { ...known.locale, scopes } })
}

/** All problems of any input, also of one that cannot be saved. */
export async function checkAny(db: Db, checker: Checker, input: unknown): Promise<Problem[]> {
  const problems = structureProblems(input)
  return problems.length > 0 ? problems : definitionProblems(db, checker, input as WorkflowDefinition)
}
