// Definitions held against what there is in the organization.
import type { Problem } from '../../contract/errors.ts'
import type { WorkflowDefinition } from '../../contract/workflows.ts'
import type { Caller } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import { invalid } from '../errors.ts'
import { selectFilterMembers } from '../records/filters/named-members.ts'
import { checkDefinition } from './check/definition.ts'
import { structureProblems } from './check/structure.ts'
import { selectKnown } from './known-store.ts'

/** A definition that may be saved, perhaps incomplete. @throws 400 validation_error naming paths inside it */
export function readDefinition(input: unknown): WorkflowDefinition {
  const problems = structureProblems(input)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return input as WorkflowDefinition
}

/** For whom a definition is checked. */
export type Checker = Pick<Caller, 'org' | 'scopes'>

/** Everything that keeps a definition from working. */
export async function problemsOf(
  db: Db,
  { org, scopes }: Checker,
  definition: WorkflowDefinition,
): Promise<Problem[]> {
  const known = await selectKnown(db, org)
  const members = await selectFilterMembers(db, org, definition)
  return checkDefinition(definition, { ...known, members, locale: { ...known.locale, scopes } })
}

/** The same of what may not even be saved. */
export async function checkAny(db: Db, checker: Checker, input: unknown): Promise<Problem[]> {
  const problems = structureProblems(input)
  return problems.length > 0 ? problems : problemsOf(db, checker, input as WorkflowDefinition)
}
