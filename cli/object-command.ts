// Common parts of commands about the records of one object.
import type { Command } from 'commander'
import { namingAttribute, recordName } from '../contract/record-name.ts'
import type { RestoreLoss } from '../contract/trash.ts'
import type { Caller } from '../server/base/caller.ts'
import { parseJson } from '../server/base/json.ts'
import { withModel } from '../server/model/attributes/models.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT } from './output.ts'
import { type CliSession, withSession } from './session.ts'

export interface ObjectOptions extends OrgOptions {
  object: string
}

export interface ChangeOptions extends ObjectOptions {
  dryRun?: true
}

export interface PageOptions extends ObjectOptions {
  limit?: string
  cursor?: string
}

export const DRY_RUN = ['--dry-run', 'show what would happen, and change nothing'] as const
export const EXAMPLE_ID = '0198c0de-0000-7000-8000-000000000001'
export const OTHER_ID = '0198c0de-0000-7000-8000-000000000002'

export const objectCommand = (name: string, description: string): Command =>
  orgCommand(name, description)
    .requiredOption('--object <id or slug>', 'the object, such as people')
    .option(...JSON_OUTPUT)

/** Adds the options of a command that prints one page of a list. */
export const withPages = (command: Command): Command =>
  command
    .option('--limit <number>', 'how many, at most 100 (default: 20)')
    .option('--cursor <cursor>', 'continue after the previous page')

/** The options of a page as the query of a list. */
export const pageQuery = ({ limit, cursor }: Pick<PageOptions, 'limit' | 'cursor'>): object => ({
  ...(limit !== undefined && { limit: Number(limit) }),
  ...(cursor !== undefined && { cursor }),
})

/** A line about the next page, if there is one. */
export const moreLines = ({ nextCursor }: { nextCursor?: string | undefined }): string[] =>
  nextCursor === undefined ? [] : [`There are more: --cursor ${nextCursor}`]

type Work<Result> = (ctx: CliSession['ctx'], caller: Caller) => Promise<Result>

/** Runs work as the organization's first owner. @throws AppError not_found, unavailable */
export const withCaller = <Result>({ org }: OrgOptions, work: Work<Result>): Promise<Result> =>
  withSession(async (session) => {
    const { ctx, caller } = await enter(session, org)
    return work(ctx, caller)
  })

/** Parses a result of a service, which is JSON text so that numbers keep all digits. */
export const answerOf = <Answer>(text: string): Answer => parseJson(text) as Answer

interface Named {
  id: string
  data: Readonly<Record<string, unknown>>
}

/** The names of records of the object. @throws AppError not_found */
export const namesIn = (
  ctx: CliSession['ctx'],
  { org }: Caller,
  { object }: Pick<ObjectOptions, 'object'>,
): Promise<(record: Named) => string> =>
  withModel(ctx, org, object, ({ attributes }) => {
    const naming = namingAttribute([...attributes.values()])
    return (record) => recordName(naming, record)
  })

/** In a dry run, a first line states that nothing was changed. */
export const outcomeLines = (
  { dryRun }: Pick<ChangeOptions, 'dryRun'>,
  lines: readonly string[],
): string[] => [...(dryRun ? ['Nothing was changed. Without --dry-run this would happen:'] : []), ...lines]

/** One line for each loss of a restore. */
export const lossLines = ({
  losses,
  lossCount,
}: {
  losses: readonly RestoreLoss[]
  lossCount: number
}): string[] => [
  ...losses.map(({ recordId, message }) => `Not restored of ${recordId}: ${message}`),
  ...(lossCount > losses.length ? [`${lossCount - losses.length} more values are not restored.`] : []),
]

/** Names with commas between them. */
export const slugs = (text: string): string[] => text.split(',').map((slug) => slug.trim())

export const FIELDS = [
  '--fields <slugs>',
  'only these attributes, with commas; also address.city, company.domain',
  slugs,
] as const
