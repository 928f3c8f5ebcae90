// rapport jobs: background work on many records, by the same jobs as the API.
import { Command } from 'commander'
import { type Job, JobListQuery } from '../contract/jobs.ts'
import { AppError } from '../server/base/errors.ts'
import { checked } from './checked.ts'
import { isOpen, jobLines, service, shownJob, stateText } from './job-state.ts'
import { fileCommands } from './jobs-files.ts'
import { filterCommands } from './jobs-filter.ts'
import { importCommand } from './jobs-import.ts'
import { DRY_RUN, EXAMPLE_ID, moreLines, type PageOptions, pageQuery, withCaller } from './object-command.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { withSession } from './session.ts'
import { type UndoSetOptions, undoAs } from './undo-set.ts'

const row = ({ id, type, status, progress, createdAt, error }: Job): string[] => [
  ...[id, type, status, `${progress.done}${progress.total === null ? '' : ` of ${progress.total}`}`],
  ...[String(progress.failed), createdAt, error ?? ''],
]

async function list(options: Omit<PageOptions, 'object'>): Promise<void> {
  const { listJobs } = await service()
  const query = checked(JobListQuery, pageQuery(options))
  const page = await withCaller(options, (ctx, caller) => listJobs(ctx, caller, query))
  print(options, page, () => [
    ...table(
      ['JOB', 'TYPE', 'STATE', 'ROWS', 'FAILED', 'CREATED', 'ERROR'],
      page.jobs.map(row),
      'No jobs yet.',
    ),
    ...moreLines(page.pagination),
  ])
}

async function get(id: string, options: OrgOptions): Promise<void> {
  const shown = await withSession(async (opened) => {
    const { session, caller } = await enter(opened, options.org)
    return shownJob(session, caller, id)
  })
  print(options, shown.job, () => jobLines(options, shown))
}

/** Cancels a job. The exit code is 1 if the job had already ended otherwise. */
async function cancel(id: string, options: OrgOptions): Promise<void> {
  const { cancelJob } = await service()
  const job = await withCaller(options, (ctx, caller) => cancelJob(ctx, caller, id))
  print(options, job, () => [`Job ${job.id} ${stateText(job)}`])
  if (job.status !== 'cancelled') process.exitCode = 1
}

async function remove(id: string, options: OrgOptions): Promise<void> {
  const { deleteJob } = await service()
  const deleted = await withCaller(options, (ctx, caller) => deleteJob(ctx, caller, id))
  print(options, { id: deleted, deleted: true }, () => [`Job ${deleted} is deleted`])
}

const undo = (id: string, options: UndoSetOptions): Promise<void> =>
  undoAs(options, async ({ ctx, caller }) => {
    const { readJob } = await service()
    const job = await readJob(ctx, caller, id)
    if (isOpen(job))
      throw new Error(
        `The job is ${job.status.replaceAll('_', ' ')}: wait for its end, or cancel it with rapport jobs cancel ${job.id} --org ${options.org}`,
      )
    const missing = new AppError(
      'not_found',
      `Nothing of this job can be undone, it wrote nothing or is undone already: see rapport jobs get ${job.id} --org ${options.org}`,
    )
    return { body: { kind: 'changeSet', id: job.changeSetId }, missing }
  })

const EXAMPLES = '\nExamples:\n  $ rapport jobs'

const command = (name: string, description: string) => orgCommand(name, description).option(...JSON_OUTPUT)

const jobCommand = (name: string, description: string) =>
  command(name, description)
    .argument('<job id>', 'the job')
    .addHelpText('after', `${EXAMPLES} ${name} ${EXAMPLE_ID} --org acme`)

const listCommand = () =>
  command('list', 'List jobs, the newest first')
    .option('--limit <number>', 'how many, at most 100 (default: 20)')
    .option('--cursor <cursor>', 'continue after the previous page')
    .addHelpText('after', `${EXAMPLES} list --org acme --json`)
    .action(list)

export const jobsCommand = (): Command => {
  const jobs = new Command('jobs').description(
    'Import files, and update, delete or export what matches a filter, in the background',
  )
  for (const one of [importCommand(), ...filterCommands(), listCommand()]) jobs.addCommand(one)
  jobs.addCommand(jobCommand('get', 'Show a job and its progress').action(get))
  jobs.addCommand(jobCommand('cancel', 'Cancel a job; what it wrote stays').action(cancel))
  jobs.addCommand(
    jobCommand(
      'delete-job',
      'Delete a job that has ended, with its file and results; what it wrote stays',
    ).action(remove),
  )
  for (const one of fileCommands()) jobs.addCommand(one)
  jobs.addCommand(
    jobCommand('undo', 'Undo what a job that has ended wrote, within a day')
      .option(...DRY_RUN)
      .action(undo),
  )
  return jobs.addHelpText(
    'after',
    `${EXAMPLES} import people.ndjson --org acme --object people --match-on email --wait`,
  )
}
