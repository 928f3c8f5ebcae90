// rapport records: merges several records into one of them.
import { Command, InvalidArgumentError } from 'commander'
import { MergeBody, type MergedRecord } from '../contract/merge.ts'
import type { Caller } from '../server/base/caller.ts'
import { parseJson } from '../server/base/json.ts'
import { checked } from './checked.ts'
import {
  answerOf,
  type ChangeOptions,
  DRY_RUN,
  EXAMPLE_ID,
  OTHER_ID,
  objectCommand,
  outcomeLines,
  withCaller,
} from './object-command.ts'
import { print } from './output.ts'
import type { CliSession } from './session.ts'

interface MergeOptions extends ChangeOptions {
  source?: Record<string, string>
  unite?: string[]
  data?: unknown
}

function collectSource(pair: string, sources: Record<string, string> = {}): Record<string, string> {
  const [slug = '', id = '', ...rest] = pair.split('=')
  if (slug === '' || id === '' || rest.length > 0)
    throw new InvalidArgumentError('Write it as slug=record id')
  return { ...sources, [slug]: id }
}

const collectSlug = (slug: string, slugs: string[] = []) => [...slugs, slug]

function json(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new InvalidArgumentError('It must be a JSON object, such as \'{"phone": null}\'')
  }
}

/** @throws AppError validation_error, not_found, object_inactive, unique_violation */
export async function mergeInto(
  ctx: CliSession['ctx'],
  caller: Caller,
  { object, dryRun }: ChangeOptions,
  body: unknown,
): Promise<MergedRecord> {
  const { mergeRecords } = await import('../server/records/merge/service.ts')
  const merge = { body: checked(MergeBody, body), dryRun: dryRun ?? false }
  return answerOf(await mergeRecords(ctx, caller, object, merge))
}

/** The id of the merge is left out after a dry run, which has no merge to undo. */
export function printMerged(options: ChangeOptions, { mergeId, ...merged }: MergedRecord): void {
  const { record, mergedIds, moved } = merged
  print(options, options.dryRun ? merged : { ...merged, mergeId }, () =>
    outcomeLines(options, [
      `${mergedIds.length} merged into ${record.id}, with ${moved.records} references, ${moved.activities} activities and ${moved.files} files.`,
      ...(options.dryRun
        ? []
        : [`Undo it with: rapport merges undo ${mergeId} --org ${options.org} --object ${options.object}`]),
    ]),
  )
}

async function merge(winnerId: string, loserIds: string[], options: MergeOptions): Promise<void> {
  const { source, unite, data } = options
  const body = {
    winnerId,
    loserIds,
    ...(source && { sources: source }),
    ...(unite && { united: unite }),
    ...(data !== undefined && { data }),
  }
  printMerged(options, await withCaller(options, (ctx, caller) => mergeInto(ctx, caller, options, body)))
}

const HELP = `
The record that stays keeps its values, and gets those that it lacks from the first of the others that has one. The
others go to the trash; their ids lead to the record that stays.

Examples:
  $ rapport records merge ${EXAMPLE_ID} ${OTHER_ID} --org acme --object people --dry-run
  $ rapport records merge ${EXAMPLE_ID} ${OTHER_ID} --org acme --object people \\
      --source email=${OTHER_ID} --unite tags`

const mergeCommand = () =>
  objectCommand('merge', 'Merge records into one of them')
    .argument('<record id>', 'the record that stays')
    .argument('<other ids...>', 'the records that are merged into it, at most 19')
    .option('--source <slug=id>', 'the record whose value it gets; may be repeated', collectSource)
    .option('--unite <slug>', 'it gets the values of all in this attribute; may be repeated', collectSlug)
    .option('--data <json>', 'values to set in it', json)
    .option(...DRY_RUN)
    .addHelpText('after', HELP)
    .action(merge)

export const recordsCommand = (): Command =>
  new Command('records')
    .description('Merge records')
    .addCommand(mergeCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport records merge --help')
