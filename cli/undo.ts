// rapport undo: undoes a change of one record or activity, or all changes of a change set, an import, a workflow run or an
// API key.
import { Command, InvalidArgumentError } from 'commander'
import { ActivityUndoBody } from '../contract/activity-history.ts'
import { UndoBody, type UndoneBatch, type UndoneChange } from '../contract/undo.ts'
import type { NewUndoJob } from '../contract/undo-jobs.ts'
import type { Caller } from '../server/base/caller.ts'
import { checked } from './checked.ts'
import {
  answerOf,
  type ChangeOptions,
  DRY_RUN,
  EXAMPLE_ID,
  type ObjectOptions,
  objectCommand,
  outcomeLines,
  withCaller,
} from './object-command.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print } from './output.ts'
import { type CliSession, withStoppableSession } from './session.ts'
import { listCommand } from './undo-list.ts'
import { type UndoSetOptions, undoAs } from './undo-set.ts'
import { leftLines, setExitCode, type Undone, undoneLines } from './undone.ts'

interface VersionOptions {
  version?: number
  overwrite?: string[]
}

type UndoChangeOptions = ChangeOptions & VersionOptions
type UndoActivityOptions = OrgOptions & VersionOptions & Pick<ChangeOptions, 'dryRun'>

function versionNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number, at least 2')
}

const collectSlug = (slug: string, slugs: string[] = []) => [...slugs, slug]

/** The version that the last change of the record made. @throws AppError not_found */
async function lastVersion(ctx: CliSession['ctx'], caller: Caller, object: string, id: string) {
  const { getRecord } = await import('../server/records/read/service.ts')
  const { record } = await getRecord(ctx, caller, object, { recordId: id })
  return record.version
}

async function undoOne(recordId: string, options: UndoChangeOptions): Promise<void> {
  const { undoChange } = await import('../server/records/undo/service.ts')
  const { object, overwrite, dryRun = false } = options
  const undone = await withCaller(options, async (ctx, caller) => {
    const version = options.version ?? (await lastVersion(ctx, caller, object, recordId))
    const body = checked(UndoBody, { version, ...(overwrite && { overwrite }) })
    return answerOf<UndoneChange>(await undoChange(ctx, caller, object, { recordId, body, dryRun }))
  })
  printChange(options, undone)
}

/** Sets exit code 1 if values are not restored. */
function printChange(
  options: UndoActivityOptions,
  undone: { changes: object; conflicts: readonly { message: string }[] },
): void {
  const names = Object.keys(undone.changes)
  print(options, undone, () =>
    outcomeLines(options, [
      names.length === 0 ? 'No value is restored.' : `Restored: ${names.join(', ')}`,
      ...undone.conflicts.map(({ message }) => `Not restored: ${message}`),
    ]),
  )
  if (undone.conflicts.length > 0) process.exitCode = 1
}

async function undoActivity(activityId: string, options: UndoActivityOptions): Promise<void> {
  const [{ undoActivityChange }, { getActivity }] = await Promise.all([
    import('../server/activities/history/service.ts'),
    import('../server/activities/store.ts'),
  ])
  const { overwrite, dryRun = false } = options
  const undone = await withCaller(options, async (ctx, caller) => {
    const version = options.version ?? (await getActivity(ctx.db, caller.org, activityId)).version
    const body = checked(ActivityUndoBody, { version, ...(overwrite && { overwrite }) })
    return undoActivityChange(ctx, caller, { activityId, body, dryRun })
  })
  printChange(options, undone)
}

/** Undoes batch by batch, to the end or until the command is stopped. */
async function undoOfObject(changeSetId: string, options: ObjectOptions): Promise<void> {
  const { undoLastBatch } = await import('../server/records/undo/set-service.ts')
  const undone = await withStoppableSession(async (opened) => {
    const { ctx, caller } = await enter(opened, options.org)
    const next = () => undoLastBatch(ctx, caller, { objectRef: options.object, changeSetId })
    let total = await next()
    while (total.batchesLeft > 0 && !opened.signal.aborted) total = sumOf(total, await next())
    return total
  })
  const shown = withLosses(undone)
  print(options, undone, () => [...undoneLines(shown), ...leftLines(shown, 'batches')])
  setExitCode(shown)
}

/** A loss has no version: it is part of a restoration from the trash. */
const withLosses = ({ conflicts, losses, ...undone }: UndoneBatch): Undone => ({
  ...undone,
  conflicts: [...conflicts, ...losses.map((loss) => ({ ...loss, version: 0 }))],
})

/** @param next the batch that was undone after `total` */
const sumOf = (total: UndoneBatch, next: UndoneBatch): UndoneBatch => ({
  restored: total.restored + next.restored,
  trashed: total.trashed + next.trashed,
  returned: total.returned + next.returned,
  keptIds: [...total.keptIds, ...next.keptIds],
  conflicts: [...total.conflicts, ...next.conflicts],
  losses: [...total.losses, ...next.losses],
  batchesLeft: next.batchesLeft,
})

/** Undoes all changes of the source with this id. */
const undoOfKind = (kind: NewUndoJob['kind']) => (id: string, options: UndoSetOptions) =>
  undoAs(options, () => ({ body: { kind, id } }))

function undoSet(id: string, { object, ...options }: UndoSetOptions & Partial<ObjectOptions>): Promise<void> {
  if (object === undefined) return undoOfKind('changeSet')(id, options)
  if (options.dryRun) throw new Error('--dry-run is of all that was changed: leave --object out')
  return undoOfObject(id, { ...options, object })
}

const undoKey = (id: string, { from, to, ...options }: UndoSetOptions & Pick<NewUndoJob, 'from' | 'to'>) =>
  undoAs(options, () => ({
    body: { kind: 'apiKey', id, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
  }))

const CHANGE_HELP = `
For 24 hours after the change. What was changed since stays and is named, unless --overwrite names it; the exit code is
1 then.

Examples:
  $ rapport undo change ${EXAMPLE_ID} --org acme --object people --dry-run
  $ rapport undo change ${EXAMPLE_ID} --org acme --object people --version 7 --overwrite email`

const changeCommand = () =>
  objectCommand('change', 'Restore the values from before a change of a record')
    .argument('<record id>', 'the record')
    .option('--version <number>', 'the version that the change made (default: the last one)', versionNumber)
    .option('--overwrite <slug>', 'restore it also if it was changed since; may be repeated', collectSlug)
    .option(...DRY_RUN)
    .addHelpText('after', CHANGE_HELP)
    .action(undoOne)

const activityCommand = () =>
  orgCommand('activity', 'Restore the values from before a change of an activity')
    .argument('<activity id>', 'the activity')
    .option('--version <number>', 'the version that the change made (default: the last one)', versionNumber)
    .option('--overwrite <field>', 'restore it also if it was changed since; may be repeated', collectSlug)
    .option(...DRY_RUN)
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
For 24 hours after the change. What was changed since stays and is named, unless --overwrite names it; the exit code is
1 then.

Examples:
  $ rapport undo activity ${EXAMPLE_ID} --org acme --dry-run
  $ rapport undo activity ${EXAMPLE_ID} --org acme --version 7 --overwrite title`,
    )
    .action(undoActivity)

const SET_HELP = `
What was updated gets its earlier values, what was created goes to the trash, and what was deleted returns from it, for 24
hours: records, activities, comments and files. What was changed since stays and is named; the exit code is 1 then.
`

const setCommand = (name: string, description: string, ...options: string[]) =>
  orgCommand(name, description)
    .option(...DRY_RUN)
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `${SET_HELP}\nExamples:\n${options.map((more) => `  $ rapport undo ${name} ${EXAMPLE_ID} --org acme${more}`).join('\n')}`,
    )

const changeSetCommand = () =>
  setCommand(
    'change-set',
    'Undo what writes with the same changeSetId wrote, or an import of this command line',
    '',
    ' --object people',
  )
    .argument('<change set id>', 'the changeSetId')
    .option('--object <id or slug>', 'only records of this object (default: all that was changed)')
    .action(undoSet)

const importCommand = () =>
  setCommand(
    'import',
    'Undo an import of the dashboard, with the records that it created because cells name them',
    '',
  )
    .argument('<import id>', 'the id in the address of its page')
    .action(undoOfKind('import'))

const runCommand = () =>
  setCommand('workflow-run', 'Undo what a workflow run did', '')
    .argument('<run id>', 'the workflow run')
    .action(undoOfKind('workflowRun'))

const keyCommand = () =>
  setCommand('api-key', 'Undo what an API key did in a span of time', ' --from 2026-11-25T08:00:00Z')
    .argument('<key id>', 'the API key, which may be deleted')
    .requiredOption('--from <time>', 'its changes from this time on')
    .option('--to <time>', 'its changes up to this time (default: now)')
    .action(undoKey)

const reassignmentCommand = () =>
  setCommand('reassignment', 'Give the records and tasks of a member back that a reassignment moved', '')
    .argument('<reassignment id>', 'the reassignment, as rapport undo list shows it')
    .action(undoOfKind('reassignment'))

export const undoCommand = (): Command => {
  const undo = new Command('undo').description(
    'Undo a change of a record or activity, or all that one import, run or key did',
  )
  const sets = [changeSetCommand(), importCommand(), runCommand(), keyCommand(), reassignmentCommand()]
  for (const one of [changeCommand(), activityCommand(), listCommand(), ...sets]) undo.addCommand(one)
  return undo.addHelpText('after', `\nExamples:\n  $ rapport undo list --org acme`)
}
