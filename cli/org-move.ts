// rapport org move: moves an organization to another cell, while it is in use.
import { Command } from 'commander'
import { AppError, notFound } from '../server/base/errors.ts'
import { cancelMove, type Moved, type MovePhase, moveOrganization } from '../server/cells/move/service.ts'
import { selectCells } from '../server/cells/store.ts'
import type { StoredOrganization } from '../server/identity/store.ts'
import { getOrganization } from './organization.ts'
import { JSON_OUTPUT, type OutputOptions, print } from './output.ts'
import { type ProgressLine, showProgress } from './progress.ts'
import { type CliSession, withStoppableSession } from './session.ts'

interface MoveCommandOptions extends OutputOptions {
  to?: string
  cancel?: true
}

/** The name of cell 0. */
export const DIRECTORY_CELL = 'directory'

/** @throws AppError not_found, wrong_state */
async function targetOf({ ctx }: CliSession, name: string): Promise<number> {
  const found = (await selectCells(ctx.directory)).find((one) => one.name === name)
  if (!found && name === DIRECTORY_CELL) return 0
  if (!found) throw notFound(`cell ${name}`, 'see rapport cells list')
  if (found.state === 'draining')
    throw new AppError('wrong_state', `The cell ${name} is drained: use rapport cells activate ${name} first`)
  return found.cell
}

const LINES: Readonly<Record<MovePhase, string>> = {
  preparing: 'Preparing both cells',
  copying: 'Copying while the organization works',
  closing: 'Waiting for work in progress, then refusing writes for a moment',
  finishing: 'Finishing: the organization is in the new cell',
}

/** The progress on standard error. */
function createReport() {
  let bar: ProgressLine | undefined
  return {
    onPhase(phase: MovePhase) {
      bar?.stop()
      bar = undefined
      process.stderr.write(`${LINES[phase]}\n`)
    },
    onRows(done: number, total: number) {
      bar ??= showProgress('Copying', total)
      bar.update(done)
    },
    stop: () => bar?.stop(),
  }
}

async function moveTo(session: CliSession, organization: StoredOrganization, name: string): Promise<Moved> {
  const report = createReport()
  try {
    return await moveOrganization(session.ctx, organization, await targetOf(session, name), {
      ...report,
      signal: session.signal,
    })
  } finally {
    report.stop()
  }
}

const movedLines = (slug: string, name: string, { rows, refusedMs }: Moved) => [
  refusedMs === null
    ? `Organization ${slug} is in ${name}.`
    : `Organization ${slug} is in ${name}: ${rows} rows copied, writes refused for ${refusedMs} ms.`,
  'What it left in its former cell is removed in 10 minutes.',
]

async function move(org: string, { to, cancel, ...options }: MoveCommandOptions): Promise<void> {
  if ((to === undefined) === !cancel)
    throw new AppError('validation_error', 'Give either --to <cell> or --cancel')
  await withStoppableSession(async (session) => {
    const organization = await getOrganization(session.ctx.directory, org)
    if (cancel) {
      const cancelled = await cancelMove(session.ctx, organization.org)
      return print(options, { ...cancelled, state: 'cancelled' }, () => [
        `The move of ${organization.slug} is cancelled: it stays where it is.`,
      ])
    }
    const moved = await moveTo(session, organization, to ?? '')
    print(options, { organization: organization.slug, to, ...moved }, () =>
      movedLines(organization.slug, to ?? '', moved),
    )
  })
}

const HELP = `
Reads go on all the time. Writes go on too, but for a moment at the end, mostly a fraction of a second: then they are
refused with 503 and Retry-After. A command that was stopped or killed goes on where it was when it is given again.
All processes must run the same version, and a worker must run. The cell that DATABASE_URL names is called directory.

Examples:
  $ rapport org move acme --to eu
  $ rapport org move acme --to directory --json
  $ rapport org move acme --cancel`

export const moveCommand = (): Command =>
  new Command('move')
    .description('Move an organization to another cell while it works')
    .argument('<id or slug>', 'the organization')
    .option('--to <cell>', 'name of the cell: rapport cells list')
    .option('--cancel', 'end a move that is not finished; the organization stays where it is')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(move)
