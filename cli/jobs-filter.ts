// rapport jobs update, delete, export: jobs on all records that match a filter.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { JOB_FORMATS, type JobFormat, NewJob, type StartedJob } from '../contract/jobs.ts'
import { parseJson } from '../server/base/json.ts'
import { checked } from './checked.ts'
import {
  CANCEL_ON_INTERRUPT,
  follow,
  jobLines,
  printJob,
  type ShownJob,
  service,
  shownJob,
  WAIT,
  type WaitOptions,
} from './job-state.ts'
import { saveFile } from './jobs-files.ts'
import { DRY_RUN, FIELDS, objectCommand, slugs } from './object-command.ts'
import { enter } from './organization.ts'
import { print } from './output.ts'
import { requireService } from './running-service.ts'
import { withStoppableSession } from './session.ts'

interface FilterOptions extends WaitOptions {
  object: string
  filter?: unknown
  all?: true
  dryRun?: true
}

function json(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON, such as \'{"job_title": "CTO"}\'')
  }
}

/** @throws Error if neither or both options are set: a missing filter must not mean all records */
function filterOf({ filter, all }: FilterOptions): unknown {
  if ((filter === undefined) === (all === undefined))
    throw new Error('Send either --filter, or --all for all records of the object')
  return filter ?? null
}

const sorts = (text: string) =>
  slugs(text).map((name) => ({
    field: name.replace(/^-/, ''),
    order: name.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }))

interface Started {
  started: StartedJob
  shown?: ShownJob
}

type After = (wait: Parameters<typeof follow>[0]) => Promise<void>

/** Starts a job, or joins the same open job, so that the command can be repeated. */
async function start(options: FilterOptions, asked: object, after?: After): Promise<Started> {
  const body = checked(NewJob, { objectId: options.object, ...asked })
  const { createJob } = await service()
  return withStoppableSession(async (opened) => {
    const { session, ctx, caller } = await enter(opened, options.org)
    if (options.wait && !options.dryRun) await requireService(ctx.db)
    const started = await createJob(ctx, caller, body, { isDryRun: options.dryRun, joinsSame: true })
    if (started.id === null) return { started }
    const wait = { session, caller, id: started.id }
    if (options.wait) await follow(wait, options)
    await after?.(wait)
    return { started, shown: await shownJob(session, caller, started.id) }
  })
}

const VERBS = { update: 'updated', delete: 'deleted' } as const

function printStarted(options: FilterOptions, { started, shown }: Started): void {
  if (!shown) {
    const { type, progress } = started
    const verb = type === 'update' || type === 'delete' ? VERBS[type] : 'written'
    print(options, started, () => [
      `Nothing was changed. Without --dry-run ${progress.total} records would be ${verb}.`,
    ])
  } else if (options.wait) printJob(options, shown)
  else print(options, shown.job, () => jobLines(options, shown))
}

async function update(options: FilterOptions & { data: unknown; createMissing?: true }): Promise<void> {
  const { data, createMissing } = options
  const asked = { type: 'update', filter: filterOf(options), data, ...(createMissing && { createMissing }) }
  printStarted(options, await start(options, asked))
}

async function remove(options: FilterOptions & { permanent?: true; yes?: true }): Promise<void> {
  const filter = filterOf(options)
  if (!options.yes && !options.dryRun)
    throw new Error('This deletes every record that matches: count them with --dry-run, confirm with --yes')
  printStarted(
    options,
    await start(options, { type: 'delete', filter, permanent: options.permanent ?? false }),
  )
}

interface ExportOptions extends FilterOptions {
  format: JobFormat
  fields?: string[]
  sort?: { field: string; order: 'asc' | 'desc' }[]
  output?: string
}

async function exportRecords(options: ExportOptions): Promise<void> {
  const { filter, format, fields, sort, output } = options
  const asked = {
    ...{ type: 'export', format, ...(fields && { fields }), ...(sort && { sort }) },
    ...(filter !== undefined && { filter }),
  }
  if (output === undefined || options.dryRun) return printStarted(options, await start(options, asked))
  const waiting = { ...options, wait: true as const }
  const after: After = async ({ session, caller, id }) => {
    const { job } = await shownJob(session, caller, id)
    if (job.status === 'completed') await saveFile(session, caller, id, output)
  }
  const { shown } = await start(waiting, asked, after)
  if (!shown) return
  const [first = ''] = jobLines(options, shown)
  if (shown.job.status !== 'completed') printJob(waiting, shown)
  else print(options, { ...shown.job, file: output }, () => [first, `Written to ${output}`])
}

const FILTER = ['--filter <json>', 'that of a search, as JSON', json] as const
const ALL = ['--all', 'all records of the object'] as const
const EXAMPLE = `'{"attributeSlug": "job_title", "operator": "equals", "value": "CTO"}'`

const AGAIN = `
The running service works on it, and a record is handled once. While the same job is not ended, the command joins it
instead of starting another one, so that it may be given again. Ctrl-C ends the command, and the job goes on; with
--cancel-on-interrupt it is cancelled.
`

/** Adds the common options of these commands. */
const inBackground = (command: Command, help: string): Command =>
  command
    .option(...DRY_RUN)
    .option(...WAIT)
    .option(...CANCEL_ON_INTERRUPT)
    .addHelpText('after', `${AGAIN}\n${help}`)

const updateCommand = () =>
  inBackground(
    objectCommand('update', 'Write the same values to all records that match a filter')
      .option(...FILTER)
      .option(...ALL)
      .requiredOption('--data <json>', 'the values, by slug', json)
      .option('--create-missing', 'create the records that references name and that do not exist'),
    `Examples:
  $ rapport jobs update --org acme --object people --filter ${EXAMPLE} \\
      --data '{"job_title": "Chief technology officer"}' --dry-run`,
  ).action(update)

const deleteCommand = () =>
  inBackground(
    objectCommand('delete', 'Delete all records that match a filter')
      .option(...FILTER)
      .option(...ALL)
      .option('--permanent', 'delete them for good instead of moving them to the trash')
      .option('--yes', 'confirm the deletion'),
    `Examples:
  $ rapport jobs delete --org acme --object people --filter ${EXAMPLE} --dry-run
  $ rapport jobs delete --org acme --object people --all --yes --wait`,
  ).action(remove)

const exportCommand = () =>
  inBackground(
    objectCommand('export', 'Write all records that match a filter to a file')
      .option(...FILTER)
      .addOption(new Option('--format <format>', 'csv or ndjson').choices(JOB_FORMATS).default('ndjson'))
      .option(...FIELDS)
      .option('--sort <slugs>', 'up to three, with commas; "-amount" begins with the largest', sorts)
      .option('--output <file>', 'wait for the end, and save the file here'),
    `Each record is as it was when the job reached it; "rapport export" writes those of one moment, and needs no service.

Examples:
  $ rapport jobs export --org acme --object people --filter ${EXAMPLE} --output people.ndjson
  $ rapport jobs export --org acme --object people --format csv --sort name.lastName --output people.csv`,
  ).action(exportRecords)

export const filterCommands = (): Command[] => [updateCommand(), deleteCommand(), exportCommand()]
