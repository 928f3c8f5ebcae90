// rapport merges: lists the merges into a record, and undoes them.
import { Command } from 'commander'
import type { MergeList, UnmergedRecord } from '../contract/merge.ts'
import {
  answerOf,
  type ChangeOptions,
  DRY_RUN,
  EXAMPLE_ID,
  lossLines,
  type ObjectOptions,
  objectCommand,
  outcomeLines,
  withCaller,
} from './object-command.ts'
import { print, table } from './output.ts'

const row = ({ id, mergedIds, mergedAt, mergedBy, undoUntil }: MergeList['merges'][number]): string[] => [
  id,
  String(mergedAt),
  mergedBy?.email ?? '',
  String(undoUntil),
  mergedIds.join(' '),
]

async function list(recordId: string, options: ObjectOptions): Promise<void> {
  const { listMerges } = await import('../server/records/merge/listing.ts')
  const { merges } = await withCaller(options, async (ctx, caller) =>
    answerOf<MergeList>(
      JSON.stringify(await listMerges(ctx, caller, { objectId: options.object, recordId }, {})),
    ),
  )
  const headings = ['MERGE', 'MERGED', 'BY', 'UNDO UNTIL', 'MERGED RECORDS']
  print(options, merges, () => table(headings, merges.map(row), 'No merge into this record can be undone.'))
}

async function undo(mergeId: string, options: ChangeOptions): Promise<void> {
  const { undoMerge } = await import('../server/records/merge/unmerge.ts')
  const undone = await withCaller(options, async (ctx, caller) =>
    answerOf<UnmergedRecord>(
      await undoMerge(ctx, caller, options.object, { mergeId, dryRun: options.dryRun ?? false }),
    ),
  )
  print(options, undone, () =>
    outcomeLines(options, [
      `${undone.restoredIds.length} merged records are back: ${undone.restoredIds.join(' ')}`,
      ...lossLines(undone),
    ]),
  )
}

const listCommand = () =>
  objectCommand('list', 'List the merges into a record that can be undone, the last first')
    .argument('<record id>', 'the record that stayed')
    .addHelpText('after', `\nExamples:\n  $ rapport merges list ${EXAMPLE_ID} --org acme --object people`)
    .action(list)

const UNDO_HELP = `
The last merge into a record is undone first. What was changed since the merge stays, and is named.

Examples:
  $ rapport merges undo ${EXAMPLE_ID} --org acme --object people --dry-run`

const undoCommand = () =>
  objectCommand('undo', 'Undo a merge: the merged records return with their ids and values')
    .argument('<merge id>', 'id of the merge, as "merges list" shows it')
    .option(...DRY_RUN)
    .addHelpText('after', UNDO_HELP)
    .action(undo)

export const mergesCommand = (): Command =>
  new Command('merges')
    .description('List and undo merges of records')
    .addCommand(listCommand())
    .addCommand(undoCommand())
    .addHelpText('after', `\nExamples:\n  $ rapport merges list ${EXAMPLE_ID} --org acme --object people`)
