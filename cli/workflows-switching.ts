// rapport workflows enable, disable, cancel-runs: switches workflows on and off, and handles their open runs.
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { OPEN_RUN_CHOICES, type OpenRunChoice } from '../contract/workflow-states.ts'
import type { RunCancellation, WorkflowPatch } from '../contract/workflows.ts'
import type { Caller } from '../server/base/caller.ts'
import { type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print } from './output.ts'
import { showProgress } from './progress.ts'
import { noteOnService } from './running-service.ts'
import type { CliSession } from './session.ts'
import { WORKFLOW, withCaller, workflowOf } from './workflow-reference.ts'

const cancellations = () => import('../server/workflows/cancellations/service.ts')

const STATES = {
  finish: 'Its open runs are executed.',
  pause: 'Its open runs wait until it is enabled.',
  cancel: 'Its open runs are being cancelled: rapport workflows runs lists them.',
} as const satisfies Record<OpenRunChoice, string>

async function change(ref: string, options: OrgOptions, patch: WorkflowPatch): Promise<void> {
  const { patchWorkflow } = await import('../server/workflows/service.ts')
  const changed = await withCaller(options, async (session, caller) => {
    const { id } = await workflowOf(session, caller, ref)
    const { enabled, isPaused, name } = await patchWorkflow(session.ctx, caller, {
      ...{ workflowId: id, ifMatch: undefined, patch },
    })
    return { id, name, enabled, isPaused }
  })
  const about = patch.openRuns ? [STATES[patch.openRuns]] : []
  print(options, changed, () => [
    `Workflow "${changed.name}" is ${changed.enabled ? 'enabled' : 'disabled'}.`,
    ...about,
  ])
}

const POLL_MS = 300

/** Waits until a cancellation has ended or the command is stopped. */
async function waitFor(
  { ctx, signal }: CliSession,
  caller: Caller,
  { id, workflowId, total }: RunCancellation,
): Promise<RunCancellation> {
  const { readCancellation } = await cancellations()
  const progress = showProgress('Cancelling', total)
  try {
    for (;;) {
      const found = await readCancellation(ctx, caller, { workflowId, cancellationId: id })
      progress.update(found.cancelled)
      if (found.status === 'completed') return found
      await delay(POLL_MS, undefined, { signal })
    }
  } finally {
    progress.stop()
  }
}

async function cancelRuns(ref: string, options: OrgOptions & { wait?: true }): Promise<void> {
  const { startCancellation } = await cancellations()
  await withCaller(options, async (session, caller) => {
    const { id } = await workflowOf(session, caller, ref)
    const notes = await noteOnService(session.ctx.db)
    if (options.wait && notes.length > 0)
      throw new Error('--wait needs a running service: start one, then run the command again')
    const started = await startCancellation(session.ctx, caller, id)
    const found = options.wait ? await waitFor(session, caller, started) : started
    const verb = found.status === 'completed' ? 'are cancelled' : 'are being cancelled'
    print(options, found, () => [`${found.total} open runs ${verb}.`, ...notes])
  })
}

const EXAMPLE = 'rapport workflows disable "Say thanks" --org acme --open-runs cancel'

const enableCommand = () =>
  orgCommand('enable', 'Enable a workflow; paused runs go on')
    .argument(...WORKFLOW)
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport workflows enable "Say thanks" --org acme')
    .action((ref: string, options: OrgOptions) => change(ref, options, { enabled: true }))

const disableCommand = () =>
  orgCommand('disable', 'Disable a workflow: it starts no runs')
    .argument(...WORKFLOW)
    .addOption(
      new Option('--open-runs <choice>', 'what happens to its open runs')
        .choices(OPEN_RUN_CHOICES)
        .default('finish'),
    )
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
finish executes the open runs, pause keeps them until the workflow is enabled, cancel cancels them. With pause and
cancel none of them starts or goes on after the command.

Examples:
  $ ${EXAMPLE}`,
    )
    .action((ref: string, options: OrgOptions & { openRuns: OpenRunChoice }) =>
      change(ref, options, { enabled: false, openRuns: options.openRuns }),
    )

const cancelRunsCommand = () =>
  orgCommand('cancel-runs', 'Cancel all open runs of a workflow')
    .argument(...WORKFLOW)
    .option('--wait', 'wait until all of them are cancelled')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
None of them starts or goes on after the command; a running service sets their state. Runs that start later are executed:
disable the workflow to prevent them.

Examples:
  $ rapport workflows cancel-runs "Say thanks" --org acme --wait`,
    )
    .action(cancelRuns)

export const switchingCommands = (): Command[] => [enableCommand(), disableCommand(), cancelRunsCommand()]
