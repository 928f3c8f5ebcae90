// rapport import: records from a CSV file.

import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, parse as parsePath, resolve as resolvePath } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { BYTE_ORDER_MARK } from '../contract/csv-text.ts'
import {
  type CellFormat,
  DATE_ORDERS,
  DECIMAL_SIGNS,
  DUPLICATE_CHOICES,
  type DuplicateChoice,
  EMPTY_CELLS,
  type EmptyCells,
} from '../contract/imports.ts'
import { UNDO_HOURS } from '../contract/limits.ts'
import { newId } from '../server/base/id.ts'
import { freeText, isNoSpace } from '../server/base/no-space.ts'
import type { CsvFile } from '../server/imports/csv/open.ts'
import { type FailedFileRow, failedFile } from '../server/imports/failed-file.ts'
import type { ImportOutcome, LostLines } from '../server/imports/import-records.ts'
import type { Mapping } from '../server/records/import/columns.ts'
import { type ImportReading, readingLines, readingOf } from './import-reading.ts'
import { enter, ORG_OPTION, type OrgOptions } from './organization.ts'
import { JSON_OUTPUT, print } from './output.ts'
import { showProgress } from './progress.ts'
import { type CliSession, withStoppableSession } from './session.ts'

interface ImportOptions extends OrgOptions {
  object: string
  map?: Map<string, string>
  matchOn?: string
  errorFile?: string
  strict?: true
  dates?: CellFormat['dates']
  decimal?: CellFormat['decimal']
  empty: EmptyCells
  duplicates?: DuplicateChoice
  createMissing?: true
  dryRun?: true
}

interface Report
  extends Pick<
    ImportOutcome,
    'created' | 'updated' | 'unchanged' | 'failed' | 'skipped' | 'skippedRows' | 'skippedColumns' | 'related'
  > {
  read: Omit<ImportReading, 'columns'>
  errorFile: string | null
  /** With it all of the import is undone; null: it wrote nothing. */
  changeSetId: string | null
  seconds: number
}

/** Each --map adds one pair; the header may hold "=", a slug never does. */
export function collectMap(pair: string, pairs: Map<string, string> = new Map()): Map<string, string> {
  const at = pair.lastIndexOf('=')
  if (at < 1 || at === pair.length - 1) throw new InvalidArgumentError('Write it as header=slug')
  return pairs.set(pair.slice(0, at), pair.slice(at + 1))
}

/** Rows that failed, in a file that exists only when there are any. */
class ErrorFile {
  readonly path: string
  #form = failedFile([])
  #stream: WriteStream | undefined
  /** Why the file is not complete, if it is not. */
  failure: Error | undefined

  constructor(path: string) {
    this.path = path
  }

  setHeaders(headers: readonly string[]): void {
    this.#form = failedFile(headers)
  }

  get isWritten(): boolean {
    return this.#stream !== undefined
  }

  async add(row: FailedFileRow): Promise<void> {
    const stream = this.#stream ?? (await this.#open())
    if (this.failure) throw this.failure
    if (!stream.write(this.#form.textOf([row]))) await once(stream, 'drain')
  }

  async #open(): Promise<WriteStream> {
    const stream = createWriteStream(this.path)
    await once(stream, 'open')
    this.#stream = stream
    stream.on('error', (error) => {
      this.failure = error
    })
    stream.write(BYTE_ORDER_MARK + this.#form.head)
    return stream
  }

  async close(): Promise<void> {
    if (!this.#stream || this.#stream.destroyed) return
    const closed = once(this.#stream, 'close')
    this.#stream.end()
    // What went wrong is in `failure`.
    await closed.catch(() => undefined)
  }
}

const besideFile = (file: string) => {
  const { dir, name } = parsePath(file)
  return `${dir === '' ? '' : `${dir}/`}${name}.errors.csv`
}

/** Opened when the first byte is asked for, so that the reader gets the error. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file)
}

/** Read through once before anything is written, so that a file that cannot be read costs nothing. */
async function open(file: string): Promise<CsvFile & { isWhole: boolean }> {
  const info = await stat(file).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}. Check the path and its permissions`)
  })
  const { openCsv, openCsvStream } = await import('../server/imports/csv/open.ts')
  const isWhole = info.isFile()
  const csv = await (isWhole ? openCsv(() => bytesOf(file)) : openCsvStream(bytesOf(file)))
  return { ...csv, isWhole }
}

/** @param onRead called before anything is written */
async function run(
  session: CliSession,
  file: string,
  {
    onRead,
    errors,
    changeSetId,
    ...options
  }: ImportOptions & { errors: ErrorFile; changeSetId: string; onRead: (reading: ImportReading) => void },
): Promise<ImportOutcome> {
  const { org, object, matchOn, duplicates, map, dates, decimal, empty } = options
  const csv = await open(file)
  const { importRecords } = await import('../server/imports/import-records.ts')
  const { formatOf } = await import('../server/imports/content.ts')
  const { ctx, caller } = await enter(session, org)
  const guessed = formatOf(csv.survey.columns, caller.country)
  const format = { dates: dates ?? guessed.dates, decimal: decimal ?? guessed.decimal }
  const onMapped = (mapping: Mapping) => {
    errors.setHeaders(mapping.headers)
    onRead(readingOf(csv, mapping, format))
  }
  const progress = showProgress('Importing', csv.isWhole && !options.dryRun ? csv.survey.rows : 0)
  try {
    return await importRecords(ctx, { ...caller, changeSet: changeSetId }, csv.rows(), {
      objectRef: object,
      matchOn,
      duplicates,
      ...(map && { map }),
      format,
      empty,
      createsMissing: options.createMissing ?? false,
      strict: options.strict ?? false,
      isDryRun: options.dryRun ?? false,
      signal: session.signal,
      onMapped,
      onFailedRow: (row) => errors.add(row),
      onProgress: (rows) => progress.update(rows),
    })
  } finally {
    progress.stop()
    await errors.close()
  }
}

const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

type Counts = Pick<ImportOutcome, 'created' | 'updated' | 'unchanged' | 'failed' | 'skipped'>

const countsText = ({ created, updated, unchanged, failed, skipped }: Counts): string =>
  [
    `${created} created, ${updated} updated, `,
    ...(unchanged > 0 ? [`${unchanged} unchanged, `] : []),
    ...(skipped > 0 ? [`${skipped} skipped, `] : []),
    `${failed} failed`,
  ].join('')

const skippedLines = ({ skipped, skippedRows }: Pick<ImportOutcome, 'skipped' | 'skippedRows'>): string[] => [
  ...skippedRows.map(({ line, recordId }) => `Line ${line} is skipped: it matches ${recordId}`),
  ...(skipped > skippedRows.length ? [`${skipped - skippedRows.length} more rows are skipped.`] : []),
]

const hasWritten = ({ created, updated, related }: ImportOutcome): boolean =>
  [created, updated, ...Object.values(related)].some((count) => count > 0)

function linesOf(report: Report, { object, org }: ImportOptions): string[] {
  const { skippedColumns, related, errorFile, changeSetId, seconds } = report
  return [
    `${object}: ${countsText(report)}, in ${seconds} s`,
    ...skippedLines(report),
    ...Object.entries(related).map(([slug, count]) => `${slug}: ${count} created, because cells name them`),
    ...(skippedColumns.length > 0
      ? [`Skipped columns without an attribute of that name: ${list(skippedColumns)} (see --map)`]
      : []),
    ...(errorFile === null ? [] : [`Errors of the failed rows: ${errorFile}`]),
    ...(changeSetId === null
      ? []
      : [`Undo it within ${UNDO_HOURS} hours: rapport undo change-set ${changeSetId} --org ${org}`]),
  ]
}

const lostText = ({ first, last, isUnsure }: LostLines) =>
  isUnsure
    ? `; lines ${first} to ${last} were being written and may have been saved`
    : `; lines ${first} to ${last} were not written`

function nextText(until: number, lost?: LostLines): string {
  if (lost?.isUnsure) return 'Import them and the later lines with --match-on, so that none is created twice'
  return until === 0 ? 'Import the file again' : 'Import the lines that are left from a new file'
}

/** An import that ended early says what is in the database, what is not, and how to go on. */
function explainStop({ created, updated, unchanged, failed, lastLine, lost, stopped }: ImportOutcome): Error {
  const reason = stopped instanceof Error ? stopped.message : String(stopped)
  const done =
    lastLine === 0
      ? 'no row was committed'
      : [
          `${created + updated} rows were committed (${created} created, ${updated} updated), `,
          ...(unchanged > 0 ? [`${unchanged} unchanged, `] : []),
          `${failed} failed`,
        ].join('')
  const until = Math.max(lastLine, lost?.last ?? 0)
  const rest = until === 0 ? '' : `; no row after line ${until} was sent`
  const state = `${done}${lost ? lostText(lost) : ''}${rest}`
  return new Error(`The import ended early (${reason}): ${state}. ${nextText(until, lost)}`)
}

function errorFileOf(file: string, { errorFile }: ImportOptions): ErrorFile {
  const path = errorFile ?? besideFile(file)
  if (resolvePath(path) === resolvePath(file))
    throw new Error('--error-file names the file to import: choose another')
  return new ErrorFile(path)
}

const whyIncomplete = (path: string, failure: Error): string =>
  isNoSpace(failure)
    ? `its disk is full (${freeText(dirname(resolvePath(path)))}). Free some space, or name another file with --error-file`
    : failure.message

function refuseUnfinished({ stopped, ...outcome }: ImportOutcome, errors: ErrorFile): void {
  if (errors.failure)
    process.stderr.write(
      `rapport: ${errors.path} is incomplete: ${whyIncomplete(errors.path, errors.failure)}\n`,
    )
  if (stopped === undefined) return
  if (errors.isWritten) process.stderr.write(`rapport: failed rows are in ${errors.path}\n`)
  throw explainStop({ ...outcome, stopped })
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const startedAt = performance.now()
  const errors = errorFileOf(file, options)
  let read: Omit<ImportReading, 'columns'> | undefined
  const onRead = ({ columns, ...reading }: ImportReading) => {
    read = reading
    const shown = { ...reading, columns }
    if (!options.json || options.dryRun) print(options, shown, () => readingLines(file, shown))
  }
  const changeSetId = newId()
  const outcome = await withStoppableSession((session) =>
    run(session, file, { ...options, errors, changeSetId, onRead }),
  )
  refuseUnfinished(outcome, errors)
  if (options.dryRun || !read) return
  const { created, updated, unchanged, failed, skipped, skippedRows, skippedColumns, related } = outcome
  const seconds = Math.round(performance.now() - startedAt) / 1000
  const errorFile = errors.isWritten ? errors.path : null
  const report: Report = {
    ...{ created, updated, unchanged, failed, skipped, skippedRows, skippedColumns, related },
    ...{ read, errorFile, seconds },
    changeSetId: hasWritten(outcome) ? changeSetId : null,
  }
  print(options, report, () => linesOf(report, options))
  if (failed > 0) process.exitCode = 1
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
country: what is printed first says how, --dates and --decimal change it, and with --dry-run nothing else happens.

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
  const command = new Command('import')
    .description('Create or update records from a CSV file')
    .argument('<file>', 'CSV with a header')
    .requiredOption(...ORG_OPTION)
    .requiredOption('--object <id or slug>', 'the object, such as companies')
    .option('--map <header=slug>', 'the attribute a column fills; may be repeated', collectMap)
    .option('--match-on <slug>', 'update the record with the same value of this unique attribute, or id')
  for (const option of CHOICE_OPTIONS) command.addOption(option)
  return command
    .option('--create-missing', 'create the records that reference columns name and that do not exist')
    .option('--dry-run', 'show how the file is read, and write nothing')
    .option('--error-file <path>', 'where failed rows go (default: beside the file, <name>.errors.csv)')
    .option('--strict', 'fail when a column fills no attribute')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(importFile)
}
