// rapport org list, show and moves: the cells of organizations.
import { Command } from 'commander'
import { contentsOf } from '../server/cells/delete-organization.ts'
import { type OpenMove, type OrganizationMove, selectMoves } from '../server/cells/move/store.ts'
import { selectCells } from '../server/cells/store.ts'
import type { Db } from '../server/db/pool.ts'
import { listOrganizations, type StoredOrganization } from '../server/identity/store.ts'
import { DIRECTORY_CELL } from './org-move.ts'
import { enterCell } from './organization.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'
import { withSession } from './session.ts'

type Shown = Omit<StoredOrganization, 'org' | 'cell'> & { cell: string; move: OpenMove | null }

async function describer(directory: Db, org?: number): Promise<(one: StoredOrganization) => Shown> {
  const names = new Map((await selectCells(directory)).map(({ cell, name }) => [cell, name]))
  const moves = new Map((await selectMoves(directory, org)).map(({ id, slug: _, ...move }) => [id, move]))
  return ({ org: _, cell, ...organization }) => ({
    ...organization,
    cell: names.get(cell) ?? DIRECTORY_CELL,
    move: moves.get(organization.id) ?? null,
  })
}

const moveText = (move: OpenMove | null): string =>
  move ? `${move.state} to ${move.to}${move.isWorking ? '' : ', no command works on it'}` : ''

async function list(options: OutputOptions): Promise<void> {
  const organizations = await withSession(async ({ ctx: { directory } }) =>
    (await listOrganizations(directory)).map(await describer(directory)),
  )
  print(options, organizations, () =>
    table(
      ['SLUG', 'NAME', 'ID', 'COUNTRY', 'CURRENCY', 'TIME ZONE', 'CREATED', 'CELL', 'MOVE'],
      organizations.map(({ slug, name, id, country, currency, timeZone, createdAt, cell, move }) => [
        ...[slug, name, id, country, currency, timeZone, createdAt, cell, moveText(move)],
      ]),
      'No organizations yet: rapport org create --help',
    ),
  )
}

async function show(idOrSlug: string, options: OutputOptions): Promise<void> {
  const shown = await withSession(async (session) => {
    const { ctx, organization } = await enterCell(session, idOrSlug)
    const describe = await describer(ctx.directory, organization.org)
    return { ...describe(organization), ...(await contentsOf(ctx, organization)) }
  })
  const { move, ...facts } = shown
  print(options, shown, () => [
    ...table(
      ['FIELD', 'VALUE'],
      Object.entries(facts).map(([name, value]) => [name, String(value)]),
      '',
    ),
    ...(move ? [`It is being moved from ${move.from}: ${moveText(move)}.`] : []),
  ])
}

const moveRow = ({ slug, from, to, state, startedAt, isWorking }: OrganizationMove) => [
  ...[slug, from, to, state, startedAt],
  isWorking ? 'yes' : `no: rapport org move ${slug} --to ${to}`,
]

async function moves(options: OutputOptions): Promise<void> {
  const open = await withSession(({ ctx }) => selectMoves(ctx.directory))
  print(options, open, () =>
    table(
      ['ORGANIZATION', 'FROM', 'TO', 'STATE', 'BEGAN', 'A COMMAND WORKS ON IT'],
      open.map(moveRow),
      'No organization is being moved.',
    ),
  )
}

export const listCommand = (): Command =>
  new Command('list')
    .description('List the organizations, with their cells and moves')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport org list\n  $ rapport org list --json')
    .action(list)

export const showCommand = (): Command =>
  new Command('show')
    .description('Show an organization: its settings, its cell, and how much it has')
    .argument('<id or slug>', 'the organization')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport org show acme --json')
    .action(show)

const MOVES_HELP = `
A move whose command has ended goes on where it was when rapport org move is given again; --cancel ends it.

Examples:
  $ rapport org moves --json`

export const movesCommand = (): Command =>
  new Command('moves')
    .description('List the moves between cells that have not ended')
    .option(...JSON_OUTPUT)
    .addHelpText('after', MOVES_HELP)
    .action(moves)
