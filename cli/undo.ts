// rapport undo: a change of one record, a set of changes, or an import.
import { Command, InvalidArgumentError } from 'commander'
import { UndoBody, type UndoneBatch, type UndoneChange } from '../contract/undo.ts'
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
import { enter, ORG_OPTION, type OrgOptions } from './organization.ts'
import { JSON_OUTPUT, print } from './output.ts'
import { type CliSession, withStoppableSession } from './session.ts'

type SetOptions = OrgOptions & Partial<ObjectOptions>

interface UndoChangeOptions extends ChangeOptions {
  version?: number
  overwrite?: string[]
}

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
  const slugs = Object.keys(undone.changes)
  print(options, undone, () =>
    outcomeLines(options, [
      slugs.length === 0 ? 'No value is restored.' : `Restored: ${slugs.join(', ')}`,
      ...undone.conflicts.map(({ message }) => `Not restored: ${message}`),
    ]),
  )
  if (undone.conflicts.length > 0) process.exitCode = 1
}

type Total = Omit<UndoneBatch, 'batchesLeft'>

const sumOf = (a: Total, b: Total): Total => ({
  restored: a.restored + b.restored,
  trashed: a.trashed + b.trashed,
  returned: a.returned + b.returned,
  keptIds: [...a.keptIds, ...b.keptIds],
  conflicts: [...a.conflicts, ...b.conflicts],
})

const totalLines = ({ restored, trashed, returned, keptIds, conflicts }: Total): string[] => [
  `${restored} records have their earlier values, ${trashed} that were created are in the trash, ${returned} that were deleted are back.`,
  ...(keptIds.length === 0 ? [] : [`Created records that stay: ${keptIds.join(' ')}`]),
  ...conflicts.map(
    ({ recordId, version, message }) => `Not restored of ${recordId} (${version}): ${message}`,
  ),
]

type UndoBatch = (session: Awaited<ReturnType<typeof enter>>) => Promise<UndoneBatch>

/** Batch by batch, to the end or until the command is stopped. */
export async function undoAll(options: OrgOptions, undoBatch: UndoBatch): Promise<void> {
  const { total, left } = await withStoppableSession(async (opened) => {
    const session = await enter(opened, options.org)
    let { batchesLeft: left, ...total } = await undoBatch(session)
    while (left > 0 && !opened.signal.aborted) {
      const { batchesLeft, ...next } = await undoBatch(session)
      left = batchesLeft
      total = sumOf(total, next)
    }
    return { total, left }
  })
  print(options, { ...total, batchesLeft: left }, () => [
    ...totalLines(total),
    ...(left > 0 ? [`${left} batches are left: give the command again`] : []),
  ])
  if (left > 0 || total.keptIds.length > 0 || total.conflicts.length > 0) process.exitCode ??= 1
}

async function undoSet(changeSetId: string, options: SetOptions): Promise<void> {
  const { undoLastBatch, undoLastBatchOfAll } = await import('../server/records/undo/set-service.ts')
  const { object } = options
  await undoAll(options, ({ ctx, caller }) =>
    object === undefined
      ? undoLastBatchOfAll(ctx, caller, changeSetId)
      : undoLastBatch(ctx, caller, { objectRef: object, changeSetId }),
  )
}

async function undoImported(importId: string, options: OrgOptions): Promise<void> {
  const { undoImport } = await import('../server/imports/undo.ts')
  await undoAll(options, ({ ctx, caller }) => undoImport(ctx, caller, importId))
}

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

const SET_HELP = `
Records that were updated get their earlier values, created ones go to the trash, and deleted ones return from it, for
24 hours. What was changed since stays and is named; the exit code is 1 then.

Examples:
  $ rapport undo change-set ${EXAMPLE_ID} --org acme
  $ rapport undo change-set ${EXAMPLE_ID} --org acme --object people`

const setCommand = () =>
  new Command('change-set')
    .description('Undo what writes with the same changeSetId wrote, or an import of this command line')
    .argument('<change set id>', 'the changeSetId')
    .requiredOption(...ORG_OPTION)
    .option('--object <id or slug>', 'only records of this object (default: of every object)')
    .option(...JSON_OUTPUT)
    .addHelpText('after', SET_HELP)
    .action(undoSet)

const importCommand = () =>
  new Command('import')
    .description('Undo an import of the dashboard, with the records that it created because cells name them')
    .argument('<import id>', 'the id in the address of its page')
    .requiredOption(...ORG_OPTION)
    .option(...JSON_OUTPUT)
    .addHelpText('after', `\nExamples:\n  $ rapport undo import ${EXAMPLE_ID} --org acme`)
    .action(undoImported)

export const undoCommand = (): Command =>
  new Command('undo')
    .description('Undo a change of a record, a set of changes, or an import')
    .addCommand(changeCommand())
    .addCommand(setCommand())
    .addCommand(importCommand())
    .addHelpText('after', `\nExamples:\n  $ rapport undo change ${EXAMPLE_ID} --org acme --object people`)
