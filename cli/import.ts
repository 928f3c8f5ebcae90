// rapport import: records from a CSV file.

import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { parse as parsePath, resolve as resolvePath } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { stringify } from 'csv-stringify/sync'
import type { FailedRow, ImportOutcome, LostLines } from '../server/records/import/service.ts'
import { enter, ORG_OPTION, type OrgOptions } from './organization.ts'
import { JSON_OUTPUT, print } from './output.ts'
import { showProgress } from './progress.ts'
import { type Session, withStoppableSession } from './session.ts'

interface ImportOptions extends OrgOptions {
  object: string
  map?: Map<string, string>
  matchOn?: string
  errorFile?: string
  strict?: true
}

interface Report extends Pick<ImportOutcome, 'created' | 'updated' | 'failed' | 'skippedColumns'> {
  errorFile: string | null
  seconds: number
}

/** Each --map adds one pair; the header may hold "=", a slug never does. */
function collectMap(pair: string, pairs: Map<string, string> = new Map()): Map<string, string> {
  const at = pair.lastIndexOf('=')
  if (at < 1 || at === pair.length - 1) throw new InvalidArgumentError('write it as header=slug')
  return pairs.set(pair.slice(0, at), pair.slice(at + 1))
}

/** Rows that failed, in a file that exists only when there are any. */
class ErrorFile {
  readonly path: string
  #headers: readonly string[] = []
  #stream: WriteStream | undefined
  /** Why the file is not complete, if it is not. */
  failure: Error | undefined

  constructor(path: string) {
    this.path = path
  }

  setHeaders(headers: readonly string[]): void {
    this.#headers = headers
  }

  get isWritten(): boolean {
    return this.#stream !== undefined
  }

  async add({ line, error, cells }: FailedRow): Promise<void> {
    const stream = this.#stream ?? (await this.#open())
    if (this.failure) throw this.failure
    if (!stream.write(stringify([[String(line), error, ...cells]]))) await once(stream, 'drain')
  }

  async #open(): Promise<WriteStream> {
    const stream = createWriteStream(this.path)
    await once(stream, 'open')
    this.#stream = stream
    stream.on('error', (error) => {
      this.failure = error
    })
    stream.write(stringify([['line', 'error', ...this.#headers]]))
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

/** Read through once before anything is written, so that a wrong encoding costs nothing. */
async function requireText(file: string): Promise<number> {
  const info = await stat(file).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`)
  })
  if (!info.isFile()) return 0
  const { requireUtf8 } = await import('../server/records/import/utf8.ts')
  for await (const _ of requireUtf8(bytesOf(file)));
  return info.size
}

async function run(
  session: Session,
  file: string,
  options: ImportOptions & { errors: ErrorFile },
): Promise<ImportOutcome> {
  const { org, object, errors } = options
  const bytes = await requireText(file)
  const { readCsv } = await import('../server/records/import/csv.ts')
  const { importRecords } = await import('../server/records/import/service.ts')
  const { ctx, caller } = await enter(session, org)
  const progress = showProgress('Importing', bytes)
  try {
    return await importRecords(ctx, caller, readCsv(bytesOf(file)), {
      objectRef: object,
      matchOn: options.matchOn,
      ...(options.map && { map: options.map }),
      strict: options.strict ?? false,
      signal: session.signal,
      onMapped: ({ headers }) => errors.setHeaders(headers),
      onFailedRow: (row) => errors.add(row),
      onProgress: (done) => progress.update(done.bytes, done.rows),
    })
  } finally {
    progress.stop()
    await errors.close()
  }
}

const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

function linesOf(report: Report, object: string): string[] {
  const { created, updated, failed, skippedColumns, errorFile, seconds } = report
  return [
    `${object}: ${created} created, ${updated} updated, ${failed} failed, in ${seconds} s`,
    ...(skippedColumns.length > 0
      ? [`Skipped columns without an attribute of that name: ${list(skippedColumns)} (see --map)`]
      : []),
    ...(errorFile === null ? [] : [`Errors of the failed rows: ${errorFile}`]),
  ]
}

const lostText = ({ first, last, isUnsure }: LostLines) =>
  isUnsure
    ? `; lines ${first} to ${last} were being written and may have been saved`
    : `; lines ${first} to ${last} were not written`

/** An import that ended early says what is in the database and what is not. */
function explainStop({ created, updated, failed, lastLine, lost, stopped }: ImportOutcome): Error {
  const reason = stopped instanceof Error ? stopped.message : String(stopped)
  const done =
    lastLine === 0
      ? 'no row was committed'
      : `${created + updated} rows were committed (${created} created, ${updated} updated), ${failed} failed`
  const until = Math.max(lastLine, lost?.last ?? 0)
  const rest = until === 0 ? '' : `; no row after line ${until} was sent`
  return new Error(`the import ended early (${reason}): ${done}${lost ? lostText(lost) : ''}${rest}`)
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const startedAt = performance.now()
  const errorPath = options.errorFile ?? besideFile(file)
  if (resolvePath(errorPath) === resolvePath(file))
    throw new Error('--error-file names the file to import: choose another')
  const errors = new ErrorFile(errorPath)
  const outcome = await withStoppableSession((session) => run(session, file, { ...options, errors }))
  const errorFile = errors.isWritten ? errors.path : null
  if (errors.failure)
    process.stderr.write(`rapport: ${errors.path} is incomplete: ${errors.failure.message}\n`)
  if (outcome.stopped !== undefined) {
    if (errorFile !== null) process.stderr.write(`rapport: failed rows are in ${errorFile}\n`)
    throw explainStop(outcome)
  }
  const { created, updated, failed, skippedColumns } = outcome
  const seconds = Math.round(performance.now() - startedAt) / 1000
  const report: Report = { created, updated, failed, skippedColumns, errorFile, seconds }
  print(options, report, () => linesOf(report, options.object))
  if (failed > 0) process.exitCode = 1
}

const HELP = `
A column fills the attribute whose slug or name its header is, or the one --map names. Names, addresses and
amounts may be spread over columns: --map first_name=name.firstName. Cells: lists separate their elements with ";",
checkboxes hold true, false, yes or no, amounts are "USD 12.50" or "12.50", dates are 2026-11-20, names are
"Ada Lovelace" or "Lovelace, Ada", countries are codes or names. An empty cell is no value: an update leaves it as it is.

Rows that fail are left out; the error file says why. The exit code is 1 then.

Examples:
  $ rapport import --org acme --object companies companies.csv --map Security=name
  $ rapport import --org acme --object people people.csv --match-on email
  $ rapport import --org acme --object people export.csv --match-on id --json`

export const importCommand = (): Command =>
  new Command('import')
    .description('Create or update records from a CSV file')
    .argument('<file>', 'CSV, UTF-8, with a header')
    .requiredOption(...ORG_OPTION)
    .requiredOption('--object <id or slug>', 'the object, such as companies')
    .option('--map <header=slug>', 'the attribute a column fills; may be repeated', collectMap)
    .option('--match-on <slug>', 'update the record with the same value of this unique attribute, or id')
    .option('--error-file <path>', 'where failed rows go (default: beside the file, <name>.errors.csv)')
    .option('--strict', 'fail when a column fills no attribute')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(importFile)
