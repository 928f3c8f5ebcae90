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
import { type OpenRunChoice, WORKFLOWS_MAX } from '../../contract/workflow-states.ts'
import type { WorkflowDefinition, WorkflowPatch } from '../../contract/workflows.ts'
import type { Caller } from '../base/caller.ts'
import { isUniqueViolation } from '../base/error-code.ts'
import { AppError, invalid, invalidField, nameTaken } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { requireMatch } from '../http/etag.ts'
import { requireStorable } from '../http/storable.ts'
import type { Queue } from '../jobs/queue.ts'
import { cancelOpenRuns, RESUME_RUNS } from './cancellations/service.ts'
import { keepLaterRuns } from './cancellations/store.ts'
import { listsInside } from './check/structure.ts'
import { type Checker, definitionProblems, readDefinition } from './checking.ts'
import { lockClaims } from './engine/claim-store.ts'
import { pauseRunning } from './engine/stopped-runs.ts'
import {
  countForNew,
  deleteRuns,
  deleteWorkflowRow,
  getWorkflow,
  getWorkflowVersion,
  insertVersion,
  insertWorkflow,
  lockWorkflow,
  selectVersions,
  updateWorkflow,
  type WorkflowRow,
  workflowEtag,
} from './store.ts'
import { scheduleOf, triggerColumns } from './trigger-columns.ts'
import { syncListener } from './triggers/candidates-store.ts'

type Writing = { db: Db; queue: Queue }
type Writer = Pick<Caller, 'org' | 'userId' | 'scopes'>

/** @throws 400 validation_error naming all problems */
function requireSound(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalid('validation_error', problems)
}

/** Of two concurrent writes of one name, the second waits for the first, and then violates the unique constraint. */
async function unlessNameTaken<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken('workflow', name) : error
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
  { db }: { db: Db },
  { org, userId, scopes }: Writer,
  { name, enabled = false, ...input }: NewWorkflow,
): Promise<WorkflowRow> {
  const id = newId()
  const description = input.description ?? ''
  requireStorable({ name, description })
  const definition = readDefinition(input.definition)
  return db.transaction(async (tx) => {
    await requireRoom(tx, org)
    if (enabled) requireSound(await definitionProblems(tx, { org, scopes }, definition))
    const columns = await triggerColumns(tx, org, { definition, enabled })
    const row = { id, name, description, enabled, version: 1, createdBy: userId, ...columns }
    await unlessNameTaken(name, () => tx.attempt((db) => insertWorkflow(db, org, row)))
    await insertVersion(tx, org, { id, version: 1, definition, createdBy: userId })
    await syncListener(tx, org)
    return getWorkflow(tx, org, id)
  })
}

/** Writes a locked workflow, with the columns that triggers read. */
async function write(tx: Db, org: number, before: WorkflowRow, workflow: WorkflowRow): Promise<WorkflowRow> {
  const columns = await triggerColumns(tx, org, workflow)
  // A schedule that is already due stays due after other changes, such as a new name.
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

/** `openRuns` is only allowed together with `enabled: false`. @throws 400 validation_error */
function requireOff({ enabled, openRuns }: WorkflowPatch): void {
  if (openRuns === undefined || enabled === false) return
  throw invalidField('openRuns', 'invalid_value', 'must be left out, or be sent with enabled: false')
}

function patched(before: WorkflowRow, { description, openRuns, ...others }: WorkflowPatch): WorkflowRow {
  const described = description !== undefined && { description: description ?? '' }
  const after = { ...before, ...others, ...described }
  const isPaused = openRuns === undefined ? before.isPaused : openRuns === 'pause'
  return { ...after, isPaused: isPaused && !after.enabled }
}

/** Cancels, pauses or resumes the open runs of a locked workflow after a change. */
async function treatOpenRuns(
  ctx: Writing,
  caller: Writer,
  {
    before,
    after,
    openRuns,
  }: { before: WorkflowRow; after: WorkflowRow; openRuns: OpenRunChoice | undefined },
): Promise<void> {
  const ref = { org: caller.org, workflow: after.id }
  if (openRuns === 'cancel') await cancelOpenRuns(ctx, caller, { ...ref, isOff: true })
  if (after.enabled && !before.enabled) await keepLaterRuns(ctx.db, ref)
  if (after.isPaused && !before.isPaused) {
    await lockClaims(ctx.db, ref.org)
    await pauseRunning(ctx.db, ref)
  }
  if (before.isPaused && !after.isPaused) {
    // Waits for a claim in progress, which may put aside runs that the job would miss.
    await lockClaims(ctx.db, ref.org)
    await ctx.queue.enqueue(ctx.db, RESUME_RUNS, ref)
  }
}

/** @throws 400 validation_error, 404 not_found, 409 name_taken, 412 precondition_failed */
export function patchWorkflow(
  ctx: Writing,
  caller: Writer,
  { workflowId, ifMatch, patch }: Change,
): Promise<WorkflowRow> {
  const { org, scopes } = caller
  requireStorable(patch)
  requireOff(patch)
  return ctx.db.transaction(async (tx) => {
    const before = await lockWorkflow(tx, org, workflowId)
    requireMatch(ifMatch, workflowEtag(before))
    if (patch.enabled) requireSound(await definitionProblems(tx, { org, scopes }, before.definition))
    const wanted = patched(before, patch)
    const after = isDeepStrictEqual(wanted, before) ? before : await write(tx, org, before, wanted)
    await treatOpenRuns({ ...ctx, db: tx }, caller, { before, after, openRuns: patch.openRuns })
    return after
  })
}

interface Saving {
  definition: WorkflowDefinition
  createdBy: string | null
}

/** Saves a definition of a locked workflow. An enabled workflow requires one without problems. */
async function saveVersion(
  tx: Db,
  { org, scopes }: Checker,
  { before, definition, createdBy }: Saving & { before: WorkflowRow },
): Promise<DefinitionSaved> {
  const problems = await definitionProblems(tx, { org, scopes }, definition)
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
  { db }: { db: Db },
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

/** Saves an earlier definition as a new version. @throws 400 validation_error, 404 not_found */
export function restoreVersion(
  { db }: { db: Db },
  { org, userId, scopes }: Writer,
  { workflowId, version }: { workflowId: string; version: number },
): Promise<DefinitionSaved> {
  return db.transaction(async (tx) => {
    const before = await lockWorkflow(tx, org, workflowId)
    const { definition } = await getWorkflowVersion(tx, org, { id: before.id, version })
    return saveVersion(tx, { org, scopes }, { before, definition, createdBy: userId })
  })
}

/** @throws 404 not_found */
export async function readDefinitionOf(
  { db }: { db: Db },
  { org, scopes }: Checker,
  { workflowId, version }: { workflowId: string; version?: number | undefined },
): Promise<DefinitionDetail> {
  const workflow = await getWorkflow(db, org, workflowId)
  const found = await getWorkflowVersion(db, org, { id: workflow.id, version: version ?? workflow.version })
  const problems = await definitionProblems(db, { org, scopes }, found.definition)
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
  { db }: { db: Db },
  org: number,
  workflowId: string,
): Promise<VersionList['versions']> {
  const { id } = await getWorkflow(db, org, workflowId)
  const versions = await selectVersions(db, org, id)
  return versions.map(({ definition, ...version }) => ({ ...version, steps: countSteps(definition.steps) }))
}

const RUNS_DELETED_AT_ONCE = 500

/**
 * Deletes the workflow, its versions and its runs, also open ones. It is stopped first, and then deleted in batches,
 * because a long history is too large for one statement.
 * @returns its id @throws 404 not_found
 */
export async function deleteWorkflow({ db }: { db: Db }, org: number, workflowId: string): Promise<string> {
  const { id } = await db.transaction(async (tx) => {
    const before = await lockWorkflow(tx, org, workflowId)
    const stopped = await write(tx, org, before, { ...before, enabled: false, isPaused: true })
    await lockClaims(tx, org)
    await pauseRunning(tx, { org, workflow: stopped.id })
    return stopped
  })
  while ((await deleteRuns(db, org, { id, limit: RUNS_DELETED_AT_ONCE })) > 0);
  await deleteWorkflowRow(db, org, id)
  return id
}
