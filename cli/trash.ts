// rapport trash: deleted records, and restoring them or deleting them for good.
import { Command } from 'commander'
import { BulkDelete } from '../contract/records.ts'
import { type BulkRestored, type TrashList, TrashQuery } from '../contract/trash.ts'
import { checked } from './checked.ts'
import {
  answerOf,
  type ChangeOptions,
  DRY_RUN,
  EXAMPLE_ID,
  lossLines,
  moreLines,
  namesIn,
  type ObjectOptions,
  OTHER_ID,
  objectCommand,
  outcomeLines,
  type PageOptions,
  pageCommand,
  pageQuery,
  withCaller,
} from './object-command.ts'
import { print, table } from './output.ts'

const HEADINGS = ['RECORD', 'NAME', 'DELETED', 'BY', 'DELETED FOR GOOD']

async function list(options: PageOptions): Promise<void> {
  const { listTrash } = await import('../server/records/trash/listing.ts')
  const query = checked(TrashQuery, pageQuery(options))
  const { page, nameOf } = await withCaller(options, async (ctx, caller) => ({
    page: answerOf<TrashList>(await listTrash(ctx, caller, options.object, query)),
    nameOf: await namesIn(ctx, caller, options),
  }))
  const row = (record: TrashList['records'][number]): string[] => [
    record.id,
    nameOf(record),
    record.deletedAt,
    record.deletedBy?.email ?? '',
    record.purgeAt,
  ]
  print(options, page, () => [
    ...table(HEADINGS, page.records.map(row), 'The trash is empty.'),
    ...moreLines(page.pagination),
  ])
}

const idsOf = (ids: readonly string[]): string[] =>
  checked(BulkDelete, { ids: [...new Set(ids.map((id) => id.toLowerCase()))] }).ids

/** Ids of which nothing is in the trash: the exit code says so, and a line what to do. */
function noteMissing({ org, object }: ObjectOptions, ids: readonly string[], found: number): void {
  if (found === ids.length) return
  process.exitCode = 1
  process.stderr.write(
    `rapport: ${ids.length - found} of ${ids.length} ids are not in the trash of ${object}: see rapport trash list --org ${org} --object ${object}\n`,
  )
}

async function restore(given: string[], options: ChangeOptions): Promise<void> {
  const { restoreManyRecords } = await import('../server/records/trash/restore.ts')
  const ids = idsOf(given)
  const result: BulkRestored = await withCaller(options, (ctx, caller) =>
    restoreManyRecords(ctx, caller, options.object, { ids, dryRun: options.dryRun ?? false }),
  )
  print(options, result, () => outcomeLines(options, [`${result.restored} restored.`, ...lossLines(result)]))
  noteMissing(options, ids, result.restored)
}

async function remove(given: string[], options: ObjectOptions & { yes?: true }): Promise<void> {
  if (!options.yes) throw new Error('This deletes the records for good: confirm with --yes')
  const { purgeRecords } = await import('../server/records/trash/restore.ts')
  const ids = idsOf(given)
  const deleted = await withCaller(options, (ctx, caller) => purgeRecords(ctx, caller, options.object, ids))
  print(options, { deleted }, () => [`${deleted} deleted for good.`])
  noteMissing(options, ids, deleted)
}

const EXAMPLES = '\nExamples:\n  $ rapport trash'
const IDS = ['<record ids...>', 'at most 100'] as const

const listCommand = () =>
  pageCommand('list', 'List deleted records that can be restored, the last deleted first')
    .addHelpText('after', `${EXAMPLES} list --org acme --object people --limit 50`)
    .action(list)

const RESTORE_HELP = `
Values, references, activities and files return with a record; what cannot is named. The exit code is 1 if an id is not
in the trash.
${EXAMPLES} restore ${EXAMPLE_ID} ${OTHER_ID} --org acme --object people --dry-run`

const restoreCommand = () =>
  objectCommand('restore', 'Restore deleted records')
    .argument(...IDS)
    .option(...DRY_RUN)
    .addHelpText('after', RESTORE_HELP)
    .action(restore)

const deleteCommand = () =>
  objectCommand('delete', 'Delete records from the trash for good')
    .argument(...IDS)
    .option('--yes', 'confirm the deletion')
    .addHelpText('after', `${EXAMPLES} delete ${EXAMPLE_ID} --org acme --object people --yes`)
    .action(remove)

export const trashCommand = (): Command =>
  new Command('trash')
    .description('List and restore deleted records, or delete them for good')
    .addCommand(listCommand())
    .addCommand(restoreCommand())
    .addCommand(deleteCommand())
    .addHelpText('after', `${EXAMPLES} list --org acme --object people`)
