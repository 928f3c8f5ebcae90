// rapport trash: lists, restores and permanently deletes deleted records, activities, comments and files.
import { Command, Option } from 'commander'
import { BulkDelete } from '../contract/records.ts'
import { checked } from './checked.ts'
import {
  type ChangeOptions,
  DRY_RUN,
  EXAMPLE_ID,
  moreLines,
  OTHER_ID,
  outcomeLines,
  type PageOptions,
  withCaller,
  withPages,
} from './object-command.ts'
import { type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { activities, comments, files, recordsOf, type TrashKind } from './trash-kinds.ts'

const KINDS = { activities, comments, files }

interface TrashOptions extends OrgOptions {
  object?: string
  kind: 'records' | keyof typeof KINDS
}

function kindOf({ kind, object }: TrashOptions): TrashKind {
  if (kind === 'records') {
    if (object !== undefined) return recordsOf(object)
    throw new Error('Name the object of the records with --object, or --kind activities, comments or files')
  }
  if (object === undefined) return KINDS[kind]
  throw new Error(`--object is for records: leave it out with --kind ${kind}`)
}

/** The options that name this trash on the command line. */
const placeOf = ({ org, kind, object }: TrashOptions): string =>
  `--org ${org} ${kind === 'records' ? `--object ${object}` : `--kind ${kind}`}`

async function list(options: TrashOptions & Pick<PageOptions, 'limit' | 'cursor'>): Promise<void> {
  const kind = kindOf(options)
  const { page, rows } = await withCaller(options, (ctx, caller) => kind.list(ctx, caller, options))
  const cells = rows.map(({ id, name, deletedAt, deletedBy, purgeAt }) => [
    ...[id, name, deletedAt],
    ...[deletedBy?.email ?? '', purgeAt],
  ])
  print(options, page, () => [
    ...table([kind.heading, 'NAME', 'DELETED', 'BY', 'DELETED FOR GOOD'], cells, 'The trash is empty.'),
    ...moreLines(page.pagination),
  ])
}

const idsOf = (ids: readonly string[]): string[] =>
  checked(BulkDelete, { ids: [...new Set(ids.map((id) => id.toLowerCase()))] }).ids

/** Reports ids that are not in the trash, by exit code 1 and a line with advice. */
function noteMissing(options: TrashOptions, ids: readonly string[], found: number): void {
  if (found === ids.length) return
  process.exitCode = 1
  process.stderr.write(
    `rapport: ${ids.length - found} of ${ids.length} ids are not in the trash of ${kindOf(options).place}: see rapport trash list ${placeOf(options)}\n`,
  )
}

async function restore(
  given: string[],
  options: TrashOptions & Pick<ChangeOptions, 'dryRun'>,
): Promise<void> {
  const kind = kindOf(options)
  const ids = idsOf(given)
  const { dryRun = false } = options
  const { answer, missing, lines } = await withCaller(options, (ctx, caller) =>
    kind.restore(ctx, caller, { ids, dryRun }),
  )
  print(options, answer, () => outcomeLines(options, [`${answer.restored} restored.`, ...lines]))
  if (answer.restored < ids.length) process.exitCode = 1
  noteMissing(options, ids, ids.length - missing)
}

async function remove(given: string[], options: TrashOptions & { yes?: true }): Promise<void> {
  const kind = kindOf(options)
  if (!options.yes) throw new Error(`This deletes the ${options.kind} for good: confirm with --yes`)
  const ids = idsOf(given)
  const deleted = await withCaller(options, (ctx, caller) => kind.remove(ctx, caller, ids))
  print(options, { deleted }, () => [`${deleted} deleted for good.`])
  noteMissing(options, ids, deleted)
}

const EXAMPLES = '\nExamples:\n  $ rapport trash'
const IDS = ['<ids...>', 'of records, activities, comments or files: at most 100'] as const

const kindOption = () =>
  new Option('--kind <kind>', 'what is in the trash').choices(['records', ...Object.keys(KINDS)])

const trashSubcommand = (name: string, description: string): Command =>
  orgCommand(name, description)
    .option('--object <id or slug>', 'the object of the records, such as people')
    .addOption(kindOption().default('records'))
    .option(...JSON_OUTPUT)

const LIST_HELP = `${EXAMPLES} list --org acme --object people --limit 50
  $ rapport trash list --org acme --kind comments`

const listCommand = () =>
  withPages(
    trashSubcommand(
      'list',
      'List deleted records, activities, comments or files that can be restored, the last deleted first',
    ),
  )
    .addHelpText('after', LIST_HELP)
    .action(list)

const RESTORE_HELP = `
Values, references, activities and files return with a record; links and files with an activity; comments and
files return to their record or activity. What cannot return is named. The exit code is 1 if an id is not restored.
${EXAMPLES} restore ${EXAMPLE_ID} ${OTHER_ID} --org acme --object people --dry-run
  $ rapport trash restore ${EXAMPLE_ID} --org acme --kind activities`

const restoreCommand = () =>
  trashSubcommand('restore', 'Restore deleted records, activities, comments or files')
    .argument(...IDS)
    .option(...DRY_RUN)
    .addHelpText('after', RESTORE_HELP)
    .action(restore)

const DELETE_HELP = `${EXAMPLES} delete ${EXAMPLE_ID} --org acme --object people --yes
  $ rapport trash delete ${EXAMPLE_ID} --org acme --kind activities --yes`

const deleteCommand = () =>
  trashSubcommand('delete', 'Delete records, activities, comments or files from the trash for good')
    .argument(...IDS)
    .option('--yes', 'confirm the deletion')
    .addHelpText('after', DELETE_HELP)
    .action(remove)

export const trashCommand = (): Command =>
  new Command('trash')
    .description('List and restore deleted records, activities, comments and files, or delete them for good')
    .addCommand(listCommand())
    .addCommand(restoreCommand())
    .addCommand(deleteCommand())
    .addHelpText(
      'after',
      `${EXAMPLES} list --org acme --object people\n  $ rapport trash list --org acme --kind activities`,
    )
