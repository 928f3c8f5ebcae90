// rapport undo list: lists change sets, imports and other sources that can be undone as a whole.
import type { Command } from 'commander'
import { type ChangeSet, ChangeSetListQuery } from '../contract/change-sets.ts'
import { checked } from './checked.ts'
import { moreLines, type PageOptions, pageQuery, withCaller, withPages } from './object-command.ts'
import { orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'

const COMMANDS: Readonly<Record<ChangeSet['kind'], string>> = {
  changeSet: 'change-set',
  import: 'import',
  workflowRun: 'workflow-run',
  apiKey: 'api-key',
  reassignment: 'reassignment',
}

const ORIGINS: Readonly<Record<NonNullable<ChangeSet['origin']>, string>> = {
  member: 'member',
  apiKey: 'API key',
  job: 'job of',
  undoJob: 'undo job of',
}

/** The name, or for a change set who made it: "undo job of Ada Lovelace". */
function nameOf({ name, origin, actor, apiKey }: ChangeSet): string {
  if (name !== null || origin === null) return name ?? ''
  const who = origin === 'apiKey' ? apiKey?.name : (actor?.name ?? actor?.email)
  return `${ORIGINS[origin]} ${who ?? '(deleted)'}`
}

const row = (set: ChangeSet): string[] => [
  ...[COMMANDS[set.kind], set.id, String(set.changes), set.from, set.to],
  nameOf(set),
]

async function list(options: Omit<PageOptions, 'object'>): Promise<void> {
  const { listChangeSets } = await import('../server/change-sets/listing.ts')
  const query = checked(ChangeSetListQuery, pageQuery(options))
  const page = await withCaller(options, (ctx, caller) => listChangeSets(ctx, caller, query))
  print(options, page, () => [
    ...table(
      ['KIND', 'ID', 'CHANGES', 'FROM', 'TO', 'NAME'],
      page.changeSets.map(row),
      'Nothing was changed by imports, workflow runs, reassignments or programs in the last day.',
    ),
    ...moreLines(page.pagination),
    ...(page.isComplete ? [] : ['Workflow runs and API keys are those of the newest changes only.']),
  ])
}

export const listCommand = (): Command =>
  withPages(
    orgCommand(
      'list',
      'List change sets, imports, workflow runs, API keys and reassignments whose changes can be undone',
    ).option(...JSON_OUTPUT),
  )
    .addHelpText('after', '\nExamples:\n  $ rapport undo list --org acme')
    .action(list)
