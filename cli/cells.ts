// rapport cells: databases for organizations, in addition to the directory.
import { Command } from 'commander'
import { addCell, connectionOf, listCells, setState } from '../server/cells/service.ts'
import { cellStatus, type ReportedStatus } from '../server/cells/status.ts'
import type { CellState } from '../server/cells/store.ts'
import { readConfig } from '../server/config/config.ts'
import { externalConnection, openDatabase, requireUsable } from '../server/db/database.ts'
import { openForLook } from '../server/db/look.ts'
import { openPool } from '../server/db/pool.ts'
import { prepareDatabase } from '../server/operations/prepare-database.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'
import { openLog, withSession } from './session.ts'

async function add(name: string, options: OutputOptions): Promise<void> {
  const cell = await withSession(async ({ ctx }) => {
    const connection = connectionOf(ctx, name)
    await requireUsable(connection)
    const onError = (err: Error) => ctx.log.warn({ err }, 'a database connection failed')
    const pool = openPool({ connection, max: 2, statementTimeoutMs: 30_000, onError })
    try {
      await prepareDatabase(pool, openLog(ctx.config))
      return await addCell(ctx.db, pool, name)
    } finally {
      await pool.close()
    }
  })
  print(options, cell, () => [
    `The cell ${name} takes new organizations, as soon as a process that has it in CELLS runs.`,
  ])
}

async function list(options: OutputOptions): Promise<void> {
  const cells = await withSession(({ ctx }) => listCells(ctx))
  print(options, cells, () =>
    table(
      ['CELL', 'NAME', 'STATE', 'ORGANIZATIONS', 'VERSION', 'ADDED'],
      cells.map((one) => [
        String(one.cell),
        one.name,
        one.state,
        String(one.organizations),
        one.version ?? 'does not respond',
        one.addedAt,
      ]),
      'No cells: the directory holds all organizations. rapport cells add --help',
    ),
  )
}

const MB = 1024 * 1024

const lineOf = ({
  name,
  state,
  version,
  organizations,
  copies,
  bytes,
  outbox,
  isReachable,
}: ReportedStatus) => [
  ...[name, isReachable ? 'yes' : 'no', state ?? '', version ?? '', String(organizations ?? '')],
  copies ? `${copies.rows}, ${copies.seconds} s` : '',
  outbox ? `${outbox.rows}, ${outbox.seconds} s` : '',
  bytes === undefined ? '' : `${Math.round(bytes / MB)} MB`,
]

/** Opens no session, because a session would migrate the databases, and wait for cells that do not respond. */
async function status(options: OutputOptions): Promise<void> {
  const config = readConfig(process.env)
  // If an external database does not respond, the output has a line about it.
  const database =
    config.databaseUrl === undefined
      ? await openDatabase(config, { mode: 'attach' })
      : { connection: externalConnection(config.databaseUrl, config), stop: async () => undefined }
  const pool = openForLook(database.connection)
  try {
    const places = await cellStatus(config, pool)
    if (places.some(({ problems }) => problems.length > 0)) process.exitCode = 1
    print(options, places, () => [
      ...table(HEADINGS, places.map(lineOf), ''),
      ...places.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`)),
    ])
  } finally {
    await pool.close()
    await database.stop()
  }
}

const HEADINGS = ['NAME', 'REACHABLE', 'STATE', 'VERSION', 'ORGANIZATIONS', 'COPIES WAIT', 'OUTBOX', 'SIZE']

const settingState = (state: CellState, line: (name: string) => string) =>
  async function set(name: string, options: OutputOptions): Promise<void> {
    const cell = await withSession(({ ctx }) => {
      // A drained cell may be missing in CELLS. If it were activated then, no process could start.
      if (state === 'active') connectionOf(ctx, name)
      return setState(ctx.db, name, state)
    })
    print(options, cell, () => [line(name)])
  }

const ADD_HELP = `
The database must be empty and its address in CELLS. It is migrated, and belongs to this installation from then on.

Examples:
  $ export CELLS="eu=postgres://rapport@db-eu/rapport us=postgres://rapport@db-us/rapport"
  $ rapport cells add eu`

const addCommand = () =>
  new Command('add')
    .description('Make an empty database a cell, which takes new organizations')
    .argument('<name>', 'its name in CELLS')
    .option(...JSON_OUTPUT)
    .addHelpText('after', ADD_HELP)
    .action(add)

const listCommand = () =>
  new Command('list')
    .description('List the cells with their organizations, and whether they respond')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport cells list --json')
    .action(list)

const STATUS_HELP = `
Shows the directory and each cell: whether it responds, its state, the last migration, organizations, changes of members
and keys that wait to be copied with the age of the first, events that wait in its outbox, and the size of the database.
The exit code is 1 when one does not respond, is of another version, or keeps something waiting for over a minute.

Examples:
  $ rapport cells status --json`

const statusCommand = () =>
  new Command('status')
    .description('Show what each cell has, and what is wrong with it')
    .option(...JSON_OUTPUT)
    .addHelpText('after', STATUS_HELP)
    .action(status)

const drainCommand = () =>
  new Command('drain')
    .description('Close a cell to new organizations; those it has stay')
    .argument('<name>', 'its name in CELLS')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport cells drain eu')
    .action(settingState('draining', (name) => `The cell ${name} gets no new organizations.`))

const activateCommand = () =>
  new Command('activate')
    .description('Open a drained cell to new organizations again')
    .argument('<name>', 'its name in CELLS')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport cells activate eu')
    .action(settingState('active', (name) => `The cell ${name} takes new organizations.`))

export const cellsCommand = (): Command =>
  new Command('cells')
    .description('Add, list and drain the databases that hold organizations')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(statusCommand())
    .addCommand(drainCommand())
    .addCommand(activateCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport cells list\n  $ rapport cells add --help')
