// Undoes all changes of a change set, an import, a workflow run or an API key, by the same job as the API and the
// dashboard. The command executes the job and needs no running service. If it is killed, a worker completes the job.
import type { ChangeSetKind } from '../contract/change-sets.ts'
import { PAGE_LIMIT_MAX } from '../contract/limits.ts'
import {
  NewUndoJob,
  PREVIEWED_CHANGES_MAX,
  type StartedUndoJob,
  type UndoJob,
  type UndoJobConflict,
  type UndoJobConflictList,
} from '../contract/undo-jobs.ts'
import { AppError, notFound } from '../server/base/errors.ts'
import { checked } from './checked.ts'
import { answerOf, outcomeLines } from './object-command.ts'
import { enter, type OrgOptions } from './organization.ts'
import { print } from './output.ts'
import { showProgress } from './progress.ts'
import { type CliSession, withStoppableSession } from './session.ts'
import { leftLines, setExitCode, type Undone, undoneLines } from './undone.ts'

export interface UndoSetOptions extends OrgOptions {
  dryRun?: true
}

type Entered = Awaited<ReturnType<typeof enter<CliSession>>>
type Shown = StartedUndoJob & Undone

const service = () => import('../server/change-sets/service.ts')

/** Codes of created items that stay because they were changed or are referred to. */
const KEPT = new Set([
  'record_changed',
  'record_referred',
  'activity_edited',
  'comment_edited',
  'attachment_renamed',
])

/** @param job an ended job, or one of a dry run */
const shownWith = (job: Omit<StartedUndoJob, 'conflicts'>, conflicts: readonly UndoJobConflict[]): Shown => ({
  ...job,
  keptIds: conflicts.flatMap(({ code, recordId }) => (KEPT.has(code) ? recordId : [])),
  conflicts: conflicts.filter(({ code }) => !KEPT.has(code)),
  batchesLeft: job.status === 'completed' || job.id === null ? 0 : job.total - job.done,
})

async function conflictsOf({ ctx, caller }: Entered, id: string): Promise<UndoJobConflict[]> {
  const { listConflicts } = await import('../server/change-sets/conflicts.ts')
  const found: UndoJobConflict[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const params = { limit: PAGE_LIMIT_MAX, ...(cursor !== undefined && { cursor }) }
    const page = answerOf<UndoJobConflictList>(await listConflicts(ctx, caller, id, params))
    found.push(...page.conflicts)
    cursor = page.pagination.nextCursor
  }
  return found
}

/** Executes the job to its end, or cancels it if the command must stop. */
async function workOn({ ctx, caller, session }: Entered, id: string, total: number): Promise<UndoJob> {
  const [{ readUndoJob, cancelUndoJob }, { createUndoBatchSize, undoInSteps }] = await Promise.all([
    service(),
    import('../server/change-sets/undo-steps.ts'),
  ])
  const { signal } = session
  const progress = showProgress('Undoing', total)
  let done = 0
  const goesOn = (looked: number) => {
    done += looked
    progress.update(done)
    return !signal.aborted
  }
  try {
    if (!signal.aborted) await undoInSteps(ctx, { org: caller.org, id }, createUndoBatchSize(), goesOn)
  } finally {
    progress.stop()
  }
  return signal.aborted ? cancelUndoJob(ctx, caller, id) : readUndoJob(ctx, caller, id)
}

/** @throws AppError not_found if there is nothing to undo */
async function start(
  { ctx, caller }: Entered,
  body: NewUndoJob,
  { dryRun, missing }: { dryRun: boolean; missing: AppError },
): Promise<StartedUndoJob> {
  const { createUndoJob } = await service()
  return createUndoJob(ctx, caller, checked(NewUndoJob, body), dryRun).catch((error: unknown) => {
    const [problem] = (error instanceof AppError && (error.details?.['errors'] as { code: string }[])) || []
    throw problem?.code === 'invalid_reference' ? missing : error
  })
}

const NOUNS: Readonly<Record<ChangeSetKind, string>> = {
  changeSet: 'change set',
  import: 'import',
  workflowRun: 'workflow run',
  apiKey: 'change of the API key in this time',
  reassignment: 'reassignment',
}

const missingOf = (kind: ChangeSetKind, org: string): AppError =>
  notFound(NOUNS[kind], `see rapport undo list --org ${org}`)

const restLines = ({ id, total, error }: Shown): string[] => [
  ...(error === null ? [] : [error]),
  ...(id === null && total > PREVIEWED_CHANGES_MAX
    ? [`Only the last ${PREVIEWED_CHANGES_MAX} of ${total} changes were tried.`]
    : []),
]

export interface Asked {
  body: NewUndoJob
  /** The error if there is nothing to undo. */
  missing?: AppError
}

/** @param ask returns what to undo, after the organization is open */
export async function undoAs(
  options: UndoSetOptions,
  ask: (entered: Pick<Entered, 'ctx' | 'caller'>) => Promise<Asked> | Asked,
): Promise<void> {
  const shown = await withStoppableSession(async (opened) => {
    const entered = await enter(opened, options.org)
    const { body, missing = missingOf(body.kind, options.org) } = await ask(entered)
    const started = await start(entered, body, { dryRun: options.dryRun === true, missing })
    if (started.id === null) return shownWith(started, started.conflicts)
    const ended = await workOn(entered, started.id, started.total)
    return shownWith(ended, await conflictsOf(entered, ended.id))
  })
  print(options, shown, () =>
    outcomeLines(options, [...undoneLines(shown), ...restLines(shown), ...leftLines(shown, 'changes')]),
  )
  setExitCode(shown)
}
