// rapport workflows run, runs, cancel, retry: runs of workflows.
import { setTimeout as delay } from 'node:timers/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { isFinal, RUN_STATUSES } from '../contract/workflow-states.ts'
import { RunListQuery, RunWorkflow, type WorkflowRun, type WorkflowRunDetail } from '../contract/workflows.ts'
import type { Caller } from '../server/base/caller.ts'
import { parseJson } from '../server/base/json.ts'
import { checked } from './checked.ts'
import { ORG_OPTION, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { noteOnService, requireService } from './running-service.ts'
import type { CliSession } from './session.ts'
import { WORKFLOW, withCaller, workflowOf } from './workflow-reference.ts'

interface RunOptions extends OrgOptions {
  data?: unknown
  record?: string
  wait?: true
}

interface ListOptions extends OrgOptions {
  status?: string
  limit?: string
}

const service = () => import('../server/workflows/runs/service.ts')
const reading = () => import('../server/workflows/runs/reading.ts')

function json(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new InvalidArgumentError('It must be a JSON object, such as \'{"priority": "high"}\'')
  }
}

const POLL_MS = 300

/** Waits until a run has ended or the command is stopped. */
async function waitFor(
  { ctx, signal }: CliSession,
  caller: Caller,
  which: { workflowId: string; runId: string },
): Promise<WorkflowRunDetail> {
  const { readRun } = await reading()
  for (;;) {
    const run = await readRun(ctx.db, caller, which)
    if (isFinal(run.status)) return run
    await delay(POLL_MS, undefined, { signal })
  }
}

async function run(ref: string, options: RunOptions): Promise<void> {
  const body = checked(RunWorkflow, {
    ...(options.data !== undefined && { data: options.data }),
    ...(options.record !== undefined && { recordId: options.record }),
  })
  const { runWorkflow } = await service()
  await withCaller(options, async (session, caller) => {
    const workflow = await workflowOf(session, caller, ref)
    if (options.wait) await requireService(session.ctx.db)
    const started = await runWorkflow(session.ctx, caller, { workflowId: workflow.id, ...body })
    if (options.wait) return printRun(options, await waitFor(session, caller, started))
    const notes = await noteOnService(session.ctx.db)
    print(options, started, () => [`Run ${started.runId} of "${workflow.name}" was started.`, ...notes])
  })
}

const stepLine = ({ path, key, type, status, error }: WorkflowRunDetail['steps'][number]) => [
  path,
  key,
  type,
  status,
  error ?? '',
]

/** Prints a run. The exit code is 1 if the run failed or was cancelled. */
function printRun(options: OrgOptions, found: WorkflowRunDetail): void {
  print(options, found, () => [
    `Run ${found.id} (${found.title}) is ${found.status}${found.error === null ? '.' : `: ${found.error}`}`,
    ...table(['STEP', 'KEY', 'TYPE', 'STATE', 'ERROR'], found.steps.map(stepLine), 'No steps yet.'),
  ])
  if (found.status === 'failed' || found.status === 'cancelled') process.exitCode = 1
}

const row = (one: WorkflowRun): string[] => [
  one.id,
  one.status,
  one.triggerEvent,
  one.createdAt,
  one.title,
  one.error ?? '',
]

async function runs(ref: string, options: ListOptions): Promise<void> {
  const { listRuns } = await reading()
  const query = checked(RunListQuery, {
    ...(options.status !== undefined && { status: options.status }),
    ...(options.limit !== undefined && { limit: Number(options.limit) }),
  })
  const page = await withCaller(options, async (session, caller) => {
    const { id } = await workflowOf(session, caller, ref)
    return listRuns(session.ctx.db, caller.org, { workflowId: id, ...query })
  })
  print(options, page, () =>
    table(['ID', 'STATE', 'TRIGGER', 'CREATED', 'TITLE', 'ERROR'], page.runs.map(row), 'No runs yet.'),
  )
}

type Work<Result> = (
  session: CliSession,
  caller: Caller,
  which: { workflowId: string; runId: string },
) => Promise<Result>

/** Finds a run by its id, without the id of its workflow. @throws AppError not_found */
const withRun = <Result>(runId: string, options: OrgOptions, work: Work<Result>) =>
  withCaller(options, async (session, caller) => {
    const { getWorkflowOfRun } = await import('../server/workflows/runs/store.ts')
    const workflowId = await getWorkflowOfRun(session.ctx.db, caller.org, runId)
    return work(session, caller, { workflowId, runId })
  })

/** For "run" and "run get": "run" also parses the options that follow "get". */
function optionsOf<Options extends OrgOptions>(command: Command): Options {
  const options = command.optsWithGlobals<Options>()
  if (options.org === undefined) command.error(`error: required option '${ORG_OPTION[0]}' not specified`)
  return options
}

async function get(runId: string, _own: unknown, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { readRun } = await reading()
  const found = await withRun(runId, options, ({ ctx }, caller, which) => readRun(ctx.db, caller, which))
  print(options, found, () => [JSON.stringify(found, null, 2)])
}

async function cancel(runId: string, options: OrgOptions): Promise<void> {
  const { cancelRun } = await service()
  const found = await withRun(runId, options, ({ ctx }, caller, which) => cancelRun(ctx, caller, which))
  print(options, found, () => [`Run ${found.id} is ${found.status}.`])
}

async function retry(runId: string, options: OrgOptions): Promise<void> {
  const { retryRun } = await service()
  const { started, notes } = await withRun(runId, options, async ({ ctx }, caller, which) => ({
    started: await retryRun(ctx, caller, which),
    notes: await noteOnService(ctx.db),
  }))
  print(options, started, () => [`Run ${started.runId} continues from the step that failed.`, ...notes])
}

const RUN = ['<run id>', 'id of the run'] as const
const EXAMPLE_ID = '0198c0de-0000-7000-8000-000000000001'

const getCommand = () =>
  new Command('get')
    .description('Print a run with its steps')
    .argument(...RUN)
    .option(...ORG_OPTION)
    .option(...JSON_OUTPUT)
    .addHelpText('after', `\nExamples:\n  $ rapport workflows run get ${EXAMPLE_ID} --org acme`)
    .action(get)

const runCommand = () =>
  new Command('run')
    .description('Run a workflow; "run get" prints a run')
    .argument(...WORKFLOW)
    .option(...ORG_OPTION)
    .option('--data <json>', 'custom parameters', json)
    .option('--record <id>', 'the record to run on')
    .option('--wait', 'print how it ended; the exit code is 1 unless it completed')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
The running service executes it; without one it waits.

Examples:
  $ rapport workflows run "Say thanks" --org acme --data '{"priority": "high"}' --wait
  $ rapport workflows run get ${EXAMPLE_ID} --org acme`,
    )
    .action((ref: string, options: RunOptions, command: Command) => {
      if (options.org === undefined) command.error(`error: required option '${ORG_OPTION[0]}' not specified`)
      return run(ref, options)
    })
    .addCommand(getCommand())

const runsCommand = () =>
  orgCommand('runs', 'List the runs of a workflow, the newest first')
    .argument(...WORKFLOW)
    .addOption(new Option('--status <status>', 'only these').choices(RUN_STATUSES))
    .option('--limit <number>', 'how many, at most 100 (default: 20)')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows runs "Say thanks" --org acme --status failed')
    .action(runs)

const cancelCommand = () =>
  orgCommand('cancel', 'Cancel a run')
    .argument(...RUN)
    .option(...JSON_OUTPUT)
    .addHelpText('after', `\nExamples:\n  $ rapport workflows cancel ${EXAMPLE_ID} --org acme`)
    .action(cancel)

const retryCommand = () =>
  orgCommand('retry', 'Continue a failed run from the step that failed, in a new run')
    .argument(...RUN)
    .option(...JSON_OUTPUT)
    .addHelpText('after', `\nExamples:\n  $ rapport workflows retry ${EXAMPLE_ID} --org acme`)
    .action(retry)

export const runCommands = (): Command[] => [runCommand(), runsCommand(), cancelCommand(), retryCommand()]
