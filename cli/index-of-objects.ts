// rapport index: shows the progress of the indexes of large objects, rebuilds one, and compacts indexes of PostgreSQL.
import { Command } from 'commander'
import type { CompactedIndex } from '../server/records/engine/maintenance/compact.ts'
import type { IndexedObject } from '../server/records/engine/maintenance/overview-store.ts'
import { enterCell, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'
import { noteOnService } from './running-service.ts'
import { withSession, withStoppableSession } from './session.ts'

interface ListOptions extends OutputOptions {
  org?: string
  rows?: true
}

interface RebuildOptions extends OrgOptions {
  object: string
}

const overview = () => import('../server/records/engine/maintenance/overview-store.ts')
const rebuilding = () => import('../server/records/engine/maintenance/work-store.ts')
const compacting = () => import('../server/records/engine/maintenance/compact.ts')
const objects = () => import('../server/model/objects/store.ts')

interface Line extends Omit<IndexedObject, 'org' | 'obj'> {
  rows?: Record<string, number>
}

const indexesOf = ({ org: name, rows }: ListOptions): Promise<Line[]> =>
  withSession(async (session) => {
    const { selectIndexes, countIndexRows } = await overview()
    const entered = name === undefined ? undefined : await enterCell(session, name)
    const lines: Line[] = []
    for (const { db } of entered ? [entered.ctx] : session.ctx.cells.opened.values())
      for (const { org, obj, ...line } of await selectIndexes(db, entered?.organization.org ?? null))
        lines.push(rows ? { ...line, rows: await countIndexRows(db, { org, obj }) } : line)
    return lines
  })

const progressOf = ({ state, filled, records }: Line) =>
  filled === null ? state : `${state}, ${Math.min(Math.floor((filled / Math.max(records, 1)) * 100), 100)} %`

const sumOf = (rows: Record<string, number>) => Object.values(rows).reduce((sum, n) => sum + n, 0)

async function list(options: ListOptions): Promise<void> {
  const lines = await indexesOf(options)
  const headings = ['ORGANIZATION', 'OBJECT', 'STATE', 'RECORDS', 'COUNTED', 'SEARCHED', 'UNFOLDED']
  const cells = (line: Line) => [
    ...[line.organization, line.object, progressOf(line)],
    ...[line.records, line.counted, line.searched, line.unfolded].map(String),
    ...(line.rows ? [String(sumOf(line.rows))] : []),
  ]
  print(options, lines, () =>
    table(
      options.rows ? [...headings, 'ROWS'] : headings,
      lines.map(cells),
      'No object is large enough for an index.',
    ),
  )
}

async function rebuild(options: RebuildOptions): Promise<void> {
  const [{ getObject }, { dropIndex }] = await Promise.all([objects(), rebuilding()])
  await withSession(async (session) => {
    const {
      ctx: { db },
      organization: { org },
    } = await enterCell(session, options.org)
    const { obj, slug } = await getObject(db, org, options.object)
    await dropIndex(db, { org, obj })
    const notes = await noteOnService(db)
    print(options, { object: slug, state: 'clearing' }, () => [
      `The index of ${slug} is deleted and built again, if the object is large; until then its records are scanned.`,
      ...notes,
    ])
  })
}

interface CompactOptions extends OutputOptions {
  minMb: string
}

type CompactedIn = CompactedIndex & { cell: number }

const MB = 1024 ** 2
const megabytes = (bytes: number) => (bytes / MB).toFixed(1)

async function compact(options: CompactOptions): Promise<void> {
  const bytesMin = Number(options.minMb) * MB
  if (!(bytesMin >= 0)) throw new Error('--min-mb: send a number of megabytes')
  const { compactIndexes } = await compacting()
  const done: CompactedIn[] = []
  await withStoppableSession(async ({ ctx, inCell, signal }) => {
    for (const cell of ctx.cells.opened.keys())
      await compactIndexes(inCell(cell).db, {
        bytesMin,
        signal,
        onIndex: (one) => done.push({ cell, ...one }),
      })
  })
  const line = ({ cell, index, bytesBefore, bytesAfter }: CompactedIn) => [
    ...[String(cell), index, megabytes(bytesBefore), megabytes(bytesAfter)],
  ]
  print(options, done, () =>
    table(['CELL', 'INDEX', 'MB BEFORE', 'MB AFTER'], done.map(line), 'No index is that large.'),
  )
}

const listCommand = () =>
  new Command('list')
    .description('List objects that have an index, with its progress')
    .option('--org <id or slug>', 'only of this organization')
    .option('--rows', 'count the rows of each index, which takes a second for every ten million')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      '\nExamples:\n  $ rapport index list\n  $ rapport index list --org acme --rows --json',
    )
    .action(list)

const rebuildCommand = () =>
  orgCommand('rebuild', 'Delete the index of an object and build it again; results stay the same')
    .requiredOption('--object <id or slug>', 'the object')
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nExamples:\n  $ rapport index rebuild --org acme --object people')
    .action(rebuild)

const COMPACT_HELP = `
The service goes on working. One index is rebuilt at a time, which needs free disk space of its size, and about two
minutes for each gigabyte. Ctrl-C stops it: the index in progress stays as it was.

Examples:
  $ rapport index compact
  $ rapport index compact --min-mb 1000 --json`

const compactCommand = () =>
  new Command('compact')
    .description('Rebuild the indexes of records in the database without gaps, which takes less disk space')
    .option('--min-mb <megabytes>', 'leave smaller indexes as they are', '100')
    .option(...JSON_OUTPUT)
    .addHelpText('after', COMPACT_HELP)
    .action(compact)

export const indexCommand = (): Command =>
  new Command('index')
    .description('List, rebuild and compact the indexes of large objects')
    .addCommand(listCommand())
    .addCommand(rebuildCommand())
    .addCommand(compactCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport index list\n  $ rapport index rebuild --help')
