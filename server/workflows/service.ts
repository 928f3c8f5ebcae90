// Rules and transactions of workflows and of their definitions. An incomplete definition can be saved, and is
// enabled only when it is complete and valid.
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../contract/errors.ts'
import type {
  DefinitionDetail,
  DefinitionSaved,
  NewWorkflow,
  VersionList,
} from '../../contract/workflow-dashboard.ts'
import { WORKFLOWS_MAX } from '../../contract/workflow-states.ts'
import type { WorkflowDefinition, WorkflowPatch } from '../../contract/workflows.ts'
import type { Caller, Context } from '../context.ts'
import { type Db, errorCode } from '../db/pool.ts'
import { AppError, invalid, nameTaken } from '../errors.ts'
import { requireMatch } from '../http/etag.ts'
import { requireStorable } from '../http/storable.ts'
import { newId } from '../id.ts'
import { listsInside } from './check/structure.ts'
import { type Checker, problemsOf, readDefinition } from './checking.ts'
import {
  countForNew,
  deleteRuns,
  deleteWorkflowRow,
  etagOf,
  getVersion,
  getWorkflow,
  insertVersion,
  insertWorkflow,
  lockWorkflow,
  selectVersions,
  updateWorkflow,
  type WorkflowRow,
} from './store.ts'
import { scheduleOf, triggerColumns } from './trigger-columns.ts'
import { syncListener } from './triggers/listener.ts'

type Writing = Pick<Context, 'db'>
type Writer = Pick<Caller, 'org' | 'userId' | 'scopes'>

/** @throws 400 validation_error naming everything wrong */
function requireSound(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalid('validation_error', problems)
}

/** Two at once for one name: the second waits for the first and gets the database's refusal. */
async function unlessNameTaken<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    throw errorCode(error) === '23505' ? nameTaken('workflow', name) : error
  }
}

async function requireRoom(tx: Db, org: number): Promise<void> {
  if ((await countForNew(tx, org)) < WORKFLOWS_MAX) return
  throw new AppError(
    'limit_reached',
    `There are already ${WORKFLOWS_MAX} workflows, the maximum for an organization: delete one first`,
  )
}

/** @throws 400 validation_error, 409 name_taken, limit_reached */
export function createWorkflow(
  { db }: Writing,
  { org, userId, scopes }: Writer,
  { name, description = '', enabled = false, ...input }: NewWorkflow,
): Promise<WorkflowRow> {
  const id = newId()
  requireStorable({ name, description })
  const definition = readDefinition(input.definition)
  return db.transaction(async (tx) => {
    await requireRoom(tx, org)
    if (enabled) requireSound(await problemsOf(tx, { org, scopes }, definition))
    const columns = await triggerColumns(tx, org, { definition, enabled })
    const row = { id, name, description, enabled, version: 1, createdBy: userId, ...columns }
    await unlessNameTaken(name, () => tx.attempt((db) => insertWorkflow(db, org, row)))
    await insertVersion(tx, org, { id, version: 1, definition, createdBy: userId })
    await syncListener(tx, org)
    return getWorkflow(tx, org, id)
  })
}

/** Writes a locked workflow as it is to be; what triggers look up follows from it. */
async function write(tx: Db, org: number, before: WorkflowRow, workflow: WorkflowRow): Promise<WorkflowRow> {
  const columns = await triggerColumns(tx, org, workflow)
  // A time that has come and was not seen to yet is not lost by a new name.
  const keepsTime = before.enabled && isDeepStrictEqual(scheduleOf(before), scheduleOf(workflow))
  await unlessNameTaken(workflow.name, () =>
    tx.attempt((db) => updateWorkflow(db, org, { ...workflow, ...columns, keepsTime })),
  )
  await syncListener(tx, org)
  return getWorkflow(tx, org, workflow.id)
}

interface Change {
  workflowId: string
  ifMatch: string | undefined
  patch: WorkflowPatch
}

/** @throws 400 validation_error, 404 not_found, 409 name_taken, 412 precondition_failed */
export function patchWorkflow(
  { db }: Writing,
  { org, scopes }: Checker,
  { workflowId, ifMatch, patch }: Change,
): Promise<WorkflowRow> {
  requireStorable(patch)
  return db.transaction(async (tx) => {
    const before = await lockWorkflow(tx, org, workflowId)
    requireMatch(ifMatch, etagOf(before))
    if (patch.enabled) requireSound(await problemsOf(tx, { org, scopes }, before.definition))
    const { description, ...others } = patch
    const described = description !== undefined && { description: description ?? '' }
    const wanted = { ...before, ...others, ...described }
    return isDeepStrictEqual(wanted, before) ? before : write(tx, org, before, wanted)
  })
}

interface Saving {
  definition: WorkflowDefinition
  createdBy: string | null
}

/** A locked workflow's definition; as long as it is enabled only one that works. */
async function saveVersion(
  tx: Db,
  { org, scopes }: Checker,
  { before, definition, createdBy }: Saving & { before: WorkflowRow },
): Promise<DefinitionSaved> {
  const problems = await problemsOf(tx, { org, scopes }, definition)
  if (isDeepStrictEqual(definition, before.definition)) return { version: before.version, problems }
  if (before.enabled) requireSound(problems)
  const version = before.version + 1
  await insertVersion(tx, org, { id: before.id, version, definition, createdBy })
  await write(tx, org, before, { ...before, version, definition })
  return { version, problems }
}

/**
 * @param basedOn the version that was edited; undefined: any
 * @throws 400 validation_error, 404 not_found, 409 wrong_state after a concurrent save
 */
export function saveDefinition(
  { db }: Writing,
  { org, userId, scopes }: Writer,
  { workflowId, basedOn, ...input }: { workflowId: string; definition: unknown; basedOn?: number },
): Promise<DefinitionSaved> {
  const definition = readDefinition(input.definition)
  return db.transaction(async (tx) => {
    const before = await lockWorkflow(tx, org, workflowId)
    if (basedOn !== undefined && basedOn !== before.version)
      throw new AppError(
        'wrong_state',
        `Version ${before.version} was saved in the meantime: review it before you save yours`,
        { version: before.version },
      )
    return saveVersion(tx, { org, scopes }, { before, definition, createdBy: userId })
  })
}

/** An earlier definition as a new version. @throws 400 validation_error, 404 not_found */
export function restoreVersion(
  { db }: Writing,
  { org, userId, scopes }: Writer,
  { workflowId, version }: { workflowId: string; version: number },
): Promise<DefinitionSaved> {
  return db.transaction(async (tx) => {
    const before = await lockWorkflow(tx, org, workflowId)
    const { definition } = await getVersion(tx, org, { id: before.id, version })
    return saveVersion(tx, { org, scopes }, { before, definition, createdBy: userId })
  })
}

/** @throws 404 not_found */
export async function readDefinitionOf(
  { db }: Writing,
  { org, scopes }: Checker,
  { workflowId, version }: { workflowId: string; version?: number | undefined },
): Promise<DefinitionDetail> {
  const workflow = await getWorkflow(db, org, workflowId)
  const found = await getVersion(db, org, { id: workflow.id, version: version ?? workflow.version })
  const problems = await problemsOf(db, { org, scopes }, found.definition)
  return { workflowId: workflow.id, ...found, problems }
}

/** Including steps in branches and loops. */
const countSteps = (steps: readonly unknown[]): number =>
  steps.reduce<number>(
    (sum, step) => sum + 1 + listsInside(step, '').reduce((inner, list) => inner + countSteps(list.steps), 0),
    0,
  )

/** Newest first. @throws 404 not_found */
export async function readVersions(
  { db }: Writing,
  org: number,
  workflowId: string,
): Promise<VersionList['versions']> {
  const { id } = await getWorkflow(db, org, workflowId)
  const versions = await selectVersions(db, org, id)
  return versions.map(({ definition, ...version }) => ({ ...version, steps: countSteps(definition.steps) }))
}

const RUNS_DELETED_AT_ONCE = 500

/**
 * The workflow, its versions and its runs; those that are open end where they are. Disabled first, then deleted
 * in pieces: a long history is more than one statement can take.
 * @returns its id @throws 404 not_found
 */
export async function deleteWorkflow({ db }: Writing, org: number, workflowId: string): Promise<string> {
  const { id } = await db.transaction(async (tx) => {
    const before = await lockWorkflow(tx, org, workflowId)
    return before.enabled ? write(tx, org, before, { ...before, enabled: false }) : before
  })
  while ((await deleteRuns(db, org, { id, limit: RUNS_DELETED_AT_ONCE })) > 0);
  await deleteWorkflowRow(db, org, id)
  return id
}
