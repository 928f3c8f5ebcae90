// rapport reports: defines, runs and reads reports from a terminal.
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { isUuid } from '../contract/common.ts'
import { BYTE_ORDER_MARK } from '../contract/csv-text.ts'
import { type Report, ReportFile, type ReportRun } from '../contract/reports.ts'
import type { Caller } from '../server/base/caller.ts'
import { AppError } from '../server/base/errors.ts'
import { parseJson } from '../server/base/json.ts'
import { explainingNoSpace } from '../server/base/no-space.ts'
import { checked } from './checked.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { type CliSession, withSession } from './session.ts'

interface ReportOptions extends OrgOptions {
  report: string
}

const RUN_FORMATS = ['table', 'csv', 'json'] as const

interface RunOptions extends ReportOptions {
  format: (typeof RUN_FORMATS)[number]
  output?: string
}

const service = () => import('../server/reports/service.ts')
const store = () => import('../server/reports/store.ts')

const withCaller = <Result>(
  { org }: OrgOptions,
  work: (ctx: CliSession['ctx'], caller: Caller) => Promise<Result>,
): Promise<Result> =>
  withSession(async (session) => {
    const { ctx, caller } = await enter(session, org)
    return work(ctx, caller)
  })

/** @throws AppError not_found */
async function idOf({ db }: CliSession['ctx'], { org }: Caller, ref: string): Promise<string> {
  const { findReportId } = await store()
  const id = await findReportId(db, org, ref)
  if (id !== undefined) return id
  if (isUuid(ref)) return ref
  throw new AppError('not_found', `No report is called "${ref}": see rapport reports list`)
}

async function readReportFile(path: string): Promise<ReportFile> {
  const text = await readFile(path === '-' ? '/dev/stdin' : path, 'utf8')
  return checked(ReportFile, parseJson(text))
}

async function put(options: OrgOptions & { file: string }): Promise<void> {
  const { id: given, ...definition } = await readReportFile(options.file)
  const [{ createReport, changeReport }, { findReportId }] = await Promise.all([service(), store()])
  const { id } = await withCaller(options, async (ctx, caller) => {
    const reportId = given ?? (await findReportId(ctx.db, caller.org, definition.name))
    if (reportId === undefined) return createReport(ctx, caller, definition)
    return changeReport(ctx, { caller }, { reportId, definition })
  })
  print(options, { id }, () => [`Report ${id}: ${definition.name}`])
}

async function get(options: ReportOptions): Promise<void> {
  const { getReport } = await store()
  const { id, definition } = await withCaller(options, async (ctx, caller) =>
    getReport(ctx.db, caller.org, await idOf(ctx, caller, options.report)),
  )
  const file = { id, ...definition }
  print(options, file, () => [JSON.stringify(file, null, 2)])
}

const reportRow = ({ id, name, lastRunAt, creator }: Report) => [
  id,
  name,
  lastRunAt ?? 'never',
  creator.email,
]

async function list(options: OrgOptions): Promise<void> {
  const { selectReports } = await store()
  const reports = await withCaller(options, (ctx, { org }) => selectReports(ctx.db, org))
  const empty = 'No reports yet: rapport reports put --help'
  print(options, reports, () => table(['ID', 'NAME', 'LAST RUN', 'CREATOR'], reports.map(reportRow), empty))
}

async function tableOf(results: string): Promise<string> {
  const { readResultTable } = await import('../server/reports/result-file.ts')
  const { headers, rows, truncated } = readResultTable(results)
  const lines = table(headers, rows, 'No rows.')
  return [...lines, ...(truncated ? ['There are more rows than are shown.'] : []), ''].join('\n')
}

async function formatted({ format }: RunOptions, results: string): Promise<string> {
  if (format === 'json') return `${results}\n`
  if (format === 'table') return tableOf(results)
  const { csvOf } = await import('../server/reports/result-file.ts')
  return [...csvOf(results)].join('')
}

const toFile = (path: string, text: string) =>
  explainingNoSpace({ folder: dirname(resolve(path)), advice: 'write to a file on a larger disk' }, () =>
    writeFile(path, text),
  )

async function run(options: RunOptions): Promise<void> {
  const [{ runReport }, { getReportRun }] = await Promise.all([service(), store()])
  const { run: made, results } = await withCaller(options, async (ctx, caller) => {
    const reportId = await idOf(ctx, caller, options.report)
    const { id: runId } = await runReport(ctx, caller, reportId)
    return getReportRun(ctx.db, caller.org, { reportId, runId })
  })
  if (results === null) throw new Error(`The report failed: ${made.error}`)
  const text = await formatted(options.json ? { ...options, format: 'json' } : options, results)
  if (options.output === undefined) process.stdout.write(text)
  else await toFile(options.output, options.format === 'csv' && !options.json ? BYTE_ORDER_MARK + text : text)
}

const runRow = ({ id, status, resultCount, startedAt, error }: ReportRun) => [
  ...[id, status, String(resultCount), startedAt],
  error ?? '',
]

async function runs(options: ReportOptions): Promise<void> {
  const { listReportRuns } = await service()
  const page = await withCaller(options, async (ctx, caller) =>
    listReportRuns(ctx, caller.org, { reportId: await idOf(ctx, caller, options.report), limit: 100 }),
  )
  const headings = ['RUN', 'STATUS', 'ROWS', 'STARTED', 'ERROR']
  print(options, page.runs, () => table(headings, page.runs.map(runRow), 'Never run.'))
}

async function remove(options: ReportOptions & { yes?: true }): Promise<void> {
  if (!options.yes) throw new Error('This deletes the report and its runs permanently: confirm with --yes')
  const { deleteReport } = await service()
  const id = await withCaller(options, async (ctx, caller) =>
    deleteReport(ctx, { caller }, { reportId: await idOf(ctx, caller, options.report) }),
  )
  print(options, { id, deleted: true }, () => [`Report ${id} deleted.`])
}

const REPORT = ['--report <id or name>', 'the report'] as const
const EXAMPLES = '\nExamples:\n  $ rapport reports'

const command = (name: string, description: string) => orgCommand(name, description).option(...JSON_OUTPUT)

const putCommand = () =>
  command('put', 'Create a report from a file, or replace the one of the same id or name')
    .requiredOption('--file <path>', 'its definition as JSON; - reads standard input')
    .addHelpText('after', `${EXAMPLES} put --org acme --file won-by-month.json --json`)
    .action(put)

const runCommand = () =>
  command('run', 'Run a report and print its results')
    .requiredOption(...REPORT)
    .addOption(
      new Option('--format <format>', 'how results are printed').choices(RUN_FORMATS).default('table'),
    )
    .option('-o, --output <path>', 'write them to a file')
    .addHelpText('after', `${EXAMPLES} run --org acme --report "Won by month" --format csv -o won.csv`)
    .action(run)

export const reportsCommand = (): Command =>
  new Command('reports')
    .description('Define and run reports')
    .addCommand(putCommand())
    .addCommand(
      command('get', 'Print a report as a file for put')
        .requiredOption(...REPORT)
        .addHelpText('after', `${EXAMPLES} get --org acme --report "Won by month" > won-by-month.json`)
        .action(get),
    )
    .addCommand(
      command('list', 'List reports').addHelpText('after', `${EXAMPLES} list --org acme`).action(list),
    )
    .addCommand(runCommand())
    .addCommand(
      command('runs', 'List the runs of a report, newest first')
        .requiredOption(...REPORT)
        .addHelpText('after', `${EXAMPLES} runs --org acme --report "Won by month"`)
        .action(runs),
    )
    .addCommand(
      command('delete', 'Delete a report and its runs permanently')
        .requiredOption(...REPORT)
        .option('--yes', 'confirm the deletion')
        .addHelpText('after', `${EXAMPLES} delete --org acme --report "Won by month" --yes`)
        .action(remove),
    )
    .addHelpText('after', `${EXAMPLES} list --org acme`)
