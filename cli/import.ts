// rapport import: imports records from a CSV file, by a job that this command executes itself.
import { parse as parsePath } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { DATE_ORDERS, DECIMAL_SIGNS, DUPLICATE_CHOICES, EMPTY_CELLS } from '../contract/imports.ts'
import type { Job, NewJob } from '../contract/jobs.ts'
import type { Caller } from '../server/base/caller.ts'
import { AppError } from '../server/base/errors.ts'
import { type ImportReading, readingLines, readingOf } from './import-reading.ts'
import { linesOf, type Report, reportOf, requireAnother } from './import-report.ts'
import { bodyOf, formatOfTable, mapTable, openTable, type Table, type TableOptions } from './import-table.ts'
import { createImport, forCommand, importByJob } from './job-of-file.ts'
import { JobReferenceError, openSource } from './job-reference.ts'
import {
  interrupted,
  jobLines,
  NotCancelled,
  type ShownJob,
  service,
  shownJob,
  stateText,
} from './job-state.ts'
import { workUntilEnded } from './job-work.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, tell } from './output.ts'
import { type CliSession, withStoppableSession } from './session.ts'

interface ImportOptions extends OrgOptions, TableOptions {
  errorFile?: string
  dryRun?: true
}

/** Each --map adds one pair. The header may contain "=", a slug cannot. */
export function collectMap(pair: string, pairs: Map<string, string> = new Map()): Map<string, string> {
  const at = pair.lastIndexOf('=')
  if (at < 1 || at === pair.length - 1) throw new InvalidArgumentError('Write it as header=slug')
  return pairs.set(pair.slice(0, at), pair.slice(at + 1))
}

const defaultErrorFile = (file: string) => {
  const { dir, name } = parsePath(file)
  return `${dir === '' ? '' : `${dir}/`}${name}.errors.csv`
}

interface Work {
  session: CliSession
  caller: Caller
  file: string
  table: Table
  body: NewJob
  options: ImportOptions
}

const ADVICE = 'use --map'

/** Reports the result. @returns the error that the command ends with, if any */
type Tell = (shown: ShownJob) => Promise<Error | undefined>

/** Imports a pipe. Its job is cancelled after an error, because no other command can send the rest. */
async function importPipe(work: Work, report: Tell): Promise<Error | undefined> {
  const [{ cancelJob }, { receivePiece }] = await Promise.all([
    service(),
    import('../server/record-jobs/upload.ts'),
  ])
  const { session, caller, table, body, options } = work
  const id = await createImport(session, caller, body)
  const wait = { session, caller, id }
  try {
    await receivePiece(session.ctx, caller, id, { offset: 0, isLast: true, source: table.bytes() })
    const ended = await workUntilEnded(wait)
    if (!ended) await interrupted(wait, { cancelOnInterrupt: true, org: options.org })
  } catch (error) {
    if (!(error instanceof NotCancelled)) await cancelJob(session.ctx, caller, id)
    throw error instanceof AppError && error.status < 500 ? forCommand(error, ADVICE) : error
  }
  return report(await shownJob(session, caller, id))
}

const onReferenceError =
  ({ org }: OrgOptions) =>
  (error: Error, jobId: string): void => {
    if (!(error instanceof JobReferenceError)) throw error
    tell(
      `${error.message}: if this command is killed, a service goes on with its job, and another command does not (rapport jobs cancel ${jobId} --org ${org})`,
    )
  }

async function importFile(
  { session, caller, body, file, options }: Work,
  report: Tell,
): Promise<Error | undefined> {
  const importing = {
    ...{ session, caller, body, source: await openSource(file, session.signal) },
    options: { org: options.org, cancelOnInterrupt: true as const },
    ...{ follow: workUntilEnded, onReferenceError: onReferenceError(options), advice: ADVICE },
  }
  return importByJob(importing, report)
}

/** Uses the format that the job has read, because this command has read only the beginning of a pipe. */
const readAs = (read: Report['read'], { reading }: Job): Report['read'] => ({
  ...read,
  ...(reading?.encoding && { encoding: reading.encoding }),
  ...(reading?.delimiter && { delimiter: reading.delimiter }),
})

const notCompleted = (job: Job, { org }: OrgOptions): Error =>
  new Error(`The import ${stateText(job)}; see rapport jobs get ${job.id} --org ${org}`)

/** Checks each row by a job that writes nothing. */
const check = (work: Work, reading: ImportReading): Promise<Error | undefined> =>
  importPipe({ ...work, body: { ...work.body, dryRun: true } }, async (ended) => {
    const { options } = work
    const { id, status, progress } = ended.job
    if (status !== 'completed') return notCompleted(ended.job, options)
    print(options, { ...reading, jobId: id, progress }, () => jobLines(options, ended))
    if (progress.failed > 0) process.exitCode ??= 1
    return undefined
  })

async function run(session: CliSession, file: string, options: ImportOptions): Promise<void> {
  const startedAt = performance.now()
  const table = await openTable(file, session.signal)
  const entered = await enter(session, options.org)
  const { caller } = entered
  const mapping = await mapTable(entered.session, caller, table, options)
  const format = await formatOfTable(table, caller, options)
  const { columns, ...read } = readingOf(table, mapping, format)
  const shown: ImportReading = { ...read, columns }
  if (!options.json) print(options, shown, () => readingLines(file, shown))
  const headers = table.survey.columns.map(({ header }) => header)
  const report: Tell = async ({ job, isUndoable }) => {
    if (job.status !== 'completed') return notCompleted(job, options)
    const ended = { session: entered.session, caller, shown: { job, isUndoable }, headers }
    const told = await reportOf(ended, options.errorFile ?? defaultErrorFile(file))
    const seconds = Math.round(performance.now() - startedAt) / 1000
    const whole = { ...told, skippedColumns: mapping.skipped, read: readAs(read, job), seconds }
    print(options, whole, () => linesOf(whole, options))
    if (whole.failed > 0) process.exitCode ??= 1
    return undefined
  }
  const body = bodyOf(options, mapping, format)
  const work = { session: entered.session, caller, file, table, body, options }
  const failure = options.dryRun
    ? await check(work, shown)
    : await (table.isFile ? importFile : importPipe)(work, report)
  if (failure) throw failure
}

function runCommand(file: string, options: ImportOptions): Promise<void> {
  if (options.errorFile !== undefined) requireAnother(options.errorFile, file)
  return withStoppableSession((session) => run(session, file, options))
}

const HELP = `
A column fills the attribute whose slug or name its header is, or the one --map names. Names, addresses and
amounts may be spread over columns: --map first_name=name.firstName. Cells: lists separate their elements with ";",
checkboxes hold yes, no, true or false in any common language, references hold an id, a unique value or a name, or
only values of one attribute of the other object with --map Company=company.domain, names are "Ada Lovelace" or
"Lovelace, Ada", countries are codes or names, dates also "12 Mar 2026", amounts also "$1.2k".
Rows without any value are left out.

The delimiter (comma, semicolon, tab, vertical bar, or that of a first line sep=;) and the encoding (UTF-8, UTF-16,
Windows-1252) are detected. Dates and numbers are read as the file shows, or else as usual in the organization's
country: what is printed first says how, --dates and --decimal change it, and with --dry-run
each row is then checked, and nothing is written: rapport jobs import --help says what is not known.

A row that names a record which does not exist fails; with --create-missing the record is created, once for all rows
that name it. Names that differ only in case or spaces are the same. Rows may name records of the same file, such as
parents, in any order, if --match-on is what names them and a new record requires nothing else, without --duplicates:
the row of a record that was named before it updates it.

With --duplicates a row is compared with the records that were there before: by unique values, that of --match-on first,
else by the duplicate rules of the object, such as an equal email or a similar name. skip leaves the record as it is,
update writes into it, create makes another record. With skip and update a row that matches several records fails.

An empty cell leaves the value of a record that is updated as it is; with --empty clear it removes the value.

What it wrote can be undone for a day, with the command that it prints. A row whose record has its values already is
unchanged: nothing is written for it.

The import is a job, which this command works on: rapport jobs shows it. The same command, given again after it was
killed, continues where it was: <file>.job next to the file names the job until a command has printed the result. No row
is written twice. A running service continues the job if the command does not. Ctrl-C cancels the job; what was written
stays. A pipe is read to its end first. The file, of at most JOB_MAX_BYTES (1 GiB), is kept with the job for 7 days.

Rows that fail are left out; the error file holds them whole with the reason, to fix and import again. The exit code
is 1 then.

Examples:
  $ rapport import --org acme --object companies companies.csv --map Security=name
  $ rapport import --org acme --object people people.csv --map company=company.domain --create-missing
  $ rapport import --org acme --object people people.csv --match-on email --dry-run
  $ rapport import --org acme --object people people.csv --match-on email --empty clear
  $ rapport import --org acme --object people people.csv --duplicates skip
  $ rapport import --org acme --object people export.csv --match-on id --json`

const CHOICE_OPTIONS = [
  new Option('--duplicates <choice>', 'what becomes of rows that match a record').choices(DUPLICATE_CHOICES),
  new Option('--dates <order>', 'the order of days, months and years in dates').choices(DATE_ORDERS),
  new Option('--decimal <sign>', 'what decimals follow').choices(DECIMAL_SIGNS),
  new Option('--empty <effect>', 'what an empty cell does to a value').choices(EMPTY_CELLS).default('keep'),
]

export function importCommand(): Command {
  const command = orgCommand('import', 'Create or update records from a CSV file')
    .argument('<file>', 'CSV with a header')
    .requiredOption('--object <id or slug>', 'the object, such as companies')
    .option('--map <header=slug>', 'the attribute a column fills; may be repeated', collectMap)
    .option('--match-on <slug>', 'update the record with the same value of this unique attribute, or id')
  for (const option of CHOICE_OPTIONS) command.addOption(option)
  return command
    .option('--create-missing', 'create the records that reference columns name and that do not exist')
    .option('--dry-run', 'show how the file is read, check each row, and write nothing')
    .option('--error-file <path>', 'where failed rows go (default: <name>.errors.csv next to the file)')
    .option('--strict', 'fail when a column fills no attribute')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(runCommand)
}
