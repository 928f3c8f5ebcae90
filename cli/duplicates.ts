// rapport duplicates: searches for records that are probably the same, merges or dismisses them, and switches the rules
// by which they are found.
import { Command, Option } from 'commander'
import {
  type DuplicateGroup,
  type DuplicateGroupList,
  DuplicateGroupQuery,
  type DuplicateRule,
  type DuplicateSearch,
} from '../contract/duplicates.ts'
import { checked } from './checked.ts'
import {
  answerOf,
  type ChangeOptions,
  DRY_RUN,
  EXAMPLE_ID,
  moreLines,
  namesIn,
  type ObjectOptions,
  OTHER_ID,
  objectCommand,
  type PageOptions,
  pageQuery,
  withCaller,
  withPages,
} from './object-command.ts'
import { print, table } from './output.ts'
import { mergeInto, printMerged } from './records.ts'
import { noteOnService } from './running-service.ts'

const HEADINGS = ['GROUP', 'RECORD', 'NAME', 'REASONS']

async function list(options: PageOptions & { dismissed?: true }): Promise<void> {
  const { listGroups } = await import('../server/duplicates/service.ts')
  const query = checked(DuplicateGroupQuery, {
    ...pageQuery(options),
    ...(options.dismissed && { isDismissed: true }),
  })
  const { page, nameOf } = await withCaller(options, async (ctx, caller) => ({
    page: answerOf<DuplicateGroupList>(await listGroups(ctx, caller, options.object, query)),
    nameOf: await namesIn(ctx, caller, options),
  }))
  const rows = ({ id, records, reasons }: DuplicateGroup): string[][] =>
    records.map((record, place) =>
      place === 0 ? [id, record.id, nameOf(record), reasons.join(' ')] : ['', record.id, nameOf(record)],
    )
  const empty = options.dismissed
    ? 'No group is dismissed.'
    : `No duplicates are listed. Search for them: rapport duplicates search --org ${options.org} --object ${options.object}`
  print(options, page, () => [
    ...table(HEADINGS, page.groups.flatMap(rows), empty),
    ...moreLines(page.pagination),
  ])
}

interface SearchOptions extends ObjectOptions {
  status?: true
  cancel?: true
}

const STATES: Readonly<Record<DuplicateSearch['state'], string>> = {
  running: 'is running',
  completed: 'is complete',
  cancelled: 'was cancelled',
}

const searchLine = (search: DuplicateSearch | undefined): string =>
  search
    ? `The search ${STATES[search.state]}: ${search.seen} of ${search.total} records read.`
    : 'This object was not searched yet.'

async function search(options: SearchOptions): Promise<void> {
  const { endSearch, lastSearch, startSearch } = await import('../server/duplicates/search/service.ts')
  const { found, notes } = await withCaller(options, async (ctx, caller) => {
    if (options.status) return { found: await lastSearch(ctx, caller, options.object), notes: [] }
    if (options.cancel) return { found: await endSearch(ctx, caller, options.object), notes: [] }
    const started = await startSearch(ctx, caller, options.object)
    return { found: started, notes: await noteOnService(ctx.db) }
  })
  print(options, found ?? null, () => [searchLine(found), ...notes])
}

interface MergeOptions extends ChangeOptions {
  into?: string
}

/** The record that stays, and the others. @throws Error if nothing can be merged */
function sidesOf(ids: readonly string[], into: string | undefined): { winnerId: string; loserIds: string[] } {
  const winnerId = into?.toLowerCase() ?? ids[0] ?? ''
  if (ids.length < 2)
    throw new Error(
      'Fewer than two records of this group are left: choose another one, see rapport duplicates list',
    )
  if (!ids.includes(winnerId))
    throw new Error(`--into must be a record of the group: use one of ${ids.join(', ')}`)
  return { winnerId, loserIds: ids.filter((id) => id !== winnerId) }
}

async function merge(groupId: string, options: MergeOptions): Promise<void> {
  const { groupRecords } = await import('../server/duplicates/service.ts')
  const merged = await withCaller(options, async (ctx, caller) => {
    const ids = await groupRecords(ctx, caller, { objectId: options.object, groupId })
    return mergeInto(ctx, caller, options, sidesOf(ids, options.into))
  })
  printMerged(options, merged)
}

async function dismiss(groupId: string, options: ObjectOptions & { reopen?: true }): Promise<void> {
  const { setDismissed } = await import('../server/duplicates/service.ts')
  const change = { objectId: options.object, groupId, isDismissed: !options.reopen }
  const group = await withCaller(options, async (ctx, caller) =>
    answerOf<DuplicateGroup>(await setDismissed(ctx, caller, change)),
  )
  print(options, group, () => [
    options.reopen
      ? `Group ${group.id} is listed again.`
      : `Group ${group.id} is dismissed: searches do not find its records together again.`,
  ])
}

interface RulesOptions extends ObjectOptions {
  on?: string[]
  off?: string[]
}

const collectRule = (rule: string, rules: string[] = []) => [...rules, rule.toLowerCase()]

/** @throws Error if the object has no such rule, or one is switched on and off */
function checkRules(rules: readonly DuplicateRule[], { on = [], off = [] }: RulesOptions): void {
  const unknown = [...on, ...off].find((id) => !rules.some((rule) => rule.id === id))
  if (unknown !== undefined)
    throw new Error(`No such rule: ${unknown}. Use one of ${rules.map(({ id }) => id).join(', ')}`)
  const both = on.find((id) => off.includes(id))
  if (both !== undefined) throw new Error(`${both} is in --on and in --off: leave one of them out`)
}

const ruleRow = ({ id, name, attributeSlugs, isActive }: DuplicateRule): string[] => [
  ...[id, name, attributeSlugs.join(' ')],
  isActive ? 'on' : 'off',
]

async function rules(options: RulesOptions): Promise<void> {
  const { listRules, setRuleActive } = await import('../server/duplicates/service.ts')
  const { object: objectId, on = [], off = [] } = options
  const all = await withCaller(options, async (ctx, { org }) => {
    checkRules(await listRules(ctx, org, objectId), options)
    for (const ruleId of on) await setRuleActive(ctx, org, { objectId, ruleId, isActive: true })
    for (const ruleId of off) await setRuleActive(ctx, org, { objectId, ruleId, isActive: false })
    return listRules(ctx, org, objectId)
  })
  const none = 'No attribute of this object is compared.'
  print(options, all, () => table(['RULE', 'NAME', 'ATTRIBUTES', 'STATE'], all.map(ruleRow), none))
}

const EXAMPLES = '\nExamples:\n  $ rapport duplicates'
const GROUP = ['<group id>', 'id of the group, as "duplicates list" shows it'] as const

const listCommand = () =>
  withPages(objectCommand('list', 'List the groups that the last search found'))
    .option('--dismissed', 'the dismissed groups in place of the open ones')
    .addHelpText('after', `${EXAMPLES} list --org acme --object people --limit 50`)
    .action(list)

const SEARCH_HELP = `
The running service searches in the background; --status says how far it is.
${EXAMPLES} search --org acme --object people
  $ rapport duplicates search --org acme --object people --status`

const searchCommand = () =>
  objectCommand('search', 'Search all records of an object for duplicates')
    .addOption(new Option('--status', 'only show the last search').conflicts('cancel'))
    .option('--cancel', 'cancel the search that is running')
    .addHelpText('after', SEARCH_HELP)
    .action(search)

const MERGE_HELP = `
Without --into the oldest record stays. For choices between values use "rapport records merge".
${EXAMPLES} merge ${EXAMPLE_ID} --org acme --object people --dry-run
  $ rapport duplicates merge ${EXAMPLE_ID} --org acme --object people --into ${OTHER_ID}`

const mergeCommand = () =>
  objectCommand('merge', 'Merge the records of a group into one of them')
    .argument(...GROUP)
    .option('--into <record id>', 'the record that stays (default: the oldest)')
    .option(...DRY_RUN)
    .addHelpText('after', MERGE_HELP)
    .action(merge)

const dismissCommand = () =>
  objectCommand('dismiss', 'Say that the records of a group are not duplicates')
    .argument(...GROUP)
    .option('--reopen', 'list the group again')
    .addHelpText('after', `${EXAMPLES} dismiss ${EXAMPLE_ID} --org acme --object people`)
    .action(dismiss)

const RULES_HELP = `
The rules that are on find duplicates: in searches, imports, and while a record is created. The next search uses them.
${EXAMPLES} rules --org acme --object people
  $ rapport duplicates rules --org acme --object people --on same_phone.phone --off similar_name.name.company`

const rulesCommand = () =>
  objectCommand('rules', 'List the rules by which records count as duplicates, or switch them')
    .option('--on <rule>', 'switch this rule on; may be repeated', collectRule)
    .option('--off <rule>', 'switch this rule off; may be repeated', collectRule)
    .addHelpText('after', RULES_HELP)
    .action(rules)

export const duplicatesCommand = (): Command =>
  new Command('duplicates')
    .description('Search for duplicates, merge or dismiss what was found, and switch the rules')
    .addCommand(listCommand())
    .addCommand(searchCommand())
    .addCommand(mergeCommand())
    .addCommand(dismissCommand())
    .addCommand(rulesCommand())
    .addHelpText('after', `${EXAMPLES} list --org acme --object people`)
