// rapport jobs import: sends a file to a job that imports it.
import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import { EMPTY_CELLS, type EmptyCells } from '../contract/imports.ts'
import { JOB_DATES, JOB_DECIMALS, type JobDates, type JobDecimal } from '../contract/job-tables.ts'
import { JOB_FORMATS, type JobFormat, MATCH_CHOICES, type MatchChoice, NewJob } from '../contract/jobs.ts'
import { JOB_UPLOAD_HOURS } from '../contract/limits.ts'
import { checked } from './checked.ts'
import { collectMap } from './import.ts'
import { importByJob } from './job-of-file.ts'
import { JobReferenceError, openSource } from './job-reference.ts'
import {
  CANCEL_ON_INTERRUPT,
  isOpen,
  jobLines,
  printJob,
  untilEnded,
  WAIT,
  type WaitOptions,
} from './job-state.ts'
import { objectCommand } from './object-command.ts'
import { enter } from './organization.ts'
import { print } from './output.ts'
import { requireService } from './running-service.ts'
import { withStoppableSession } from './session.ts'

interface ImportOptions extends WaitOptions {
  object: string
  format?: JobFormat
  map?: Map<string, string>
  leaveOut?: string[]
  matchOn?: string
  duplicates?: MatchChoice
  duplicateRules?: true
  dates?: JobDates
  decimal?: JobDecimal
  empty?: EmptyCells
  createMissing?: true
  dryRun?: true
}

const collect = (header: string, headers: string[] = []) => [...headers, header]

/** The format of the option, or by the name of the file. @throws Error */
function formatOf(path: string, { format }: ImportOptions): JobFormat {
  if (format) return format
  const ending = extname(path).toLowerCase()
  if (ending === '.csv') return 'csv'
  if (ending === '.ndjson' || ending === '.jsonl') return 'ndjson'
  throw new Error(`The name of ${path} does not say what it holds: add --format csv or --format ndjson`)
}

function columnsOf({ map = new Map(), leaveOut = [] }: ImportOptions): object | undefined {
  if (map.size + leaveOut.length === 0) return undefined
  return { ...Object.fromEntries(map), ...Object.fromEntries(leaveOut.map((header) => [header, null])) }
}

const CSV_OPTIONS = {
  map: '--map',
  leaveOut: '--leave-out',
  dates: '--dates',
  decimal: '--decimal',
  empty: '--empty',
} as const satisfies Partial<Record<keyof ImportOptions, string>>

/** @throws Error */
function requireCsv(path: string, options: ImportOptions): void {
  if (formatOf(path, options) === 'csv') return
  for (const [name, option] of Object.entries(CSV_OPTIONS))
    if (options[name as keyof typeof CSV_OPTIONS] !== undefined)
      throw new Error(`${option} is for CSV: leave it out, or add --format csv`)
}

/** @throws AppError validation_error, Error */
function bodyOf(path: string, options: ImportOptions): NewJob {
  requireCsv(path, options)
  const { object, matchOn, duplicates, duplicateRules, dates, decimal, empty } = options
  const { createMissing, dryRun } = options
  const columns = columnsOf(options)
  return checked(NewJob, {
    ...{ type: 'import', objectId: object, format: formatOf(path, options) },
    ...(columns && { columns }),
    ...(matchOn !== undefined && { matchOn }),
    ...(duplicates && { duplicates }),
    ...(duplicateRules && { duplicateRules }),
    ...(dates && { dates }),
    ...(decimal && { decimal }),
    ...(empty && { emptyCells: empty }),
    ...(createMissing && { createMissing }),
    ...(dryRun && { dryRun }),
  })
}

const ADVICE = 'use --map or --leave-out'

function onReferenceError(error: Error): never {
  if (!(error instanceof JobReferenceError)) throw error
  throw new Error(
    `${error.message}, and names the job of the file: move the file to another folder, and import it there`,
  )
}

async function importFile(path: string, options: ImportOptions): Promise<void> {
  const body = bodyOf(path, options)
  const source = await openSource(path)
  await withStoppableSession(async (opened) => {
    const { session, caller } = await enter(opened, options.org)
    const begin = async () => {
      if (options.wait) await requireService(session.ctx.db)
    }
    const follow = options.wait && untilEnded
    const importing = {
      session,
      caller,
      source,
      body,
      options,
      begin,
      follow,
      onReferenceError,
      advice: ADVICE,
    }
    await importByJob(importing, (shown) => {
      if (isOpen(shown.job)) print(options, shown.job, () => jobLines(options, shown))
      else printJob(options, shown)
    })
  })
}

const HELP = `
The file is sent to a job, and the running service works on it. NDJSON has a row as {"data": {…}} in each line; CSV has
a header. A column that fills no attribute is refused, unless --map or --leave-out names it. "rapport import" works on
such a job itself, and needs no service.

The delimiter (comma, semicolon, tab, vertical bar, or that of a first line sep=;) and the encoding (UTF-8, UTF-16,
Windows-1252) of CSV are detected. Dates and numbers are read as in requests, such as 2026-11-20 and 1234.5: --dates and
--decimal say it for others, with auto as the first rows show, or else as usual in the organization's country. An empty
cell leaves the value of a record that is updated as it is; with --empty clear it removes the value.

With --duplicate-rules a row is compared with the records that were there when the job was made: by unique
values, that of --match-on first, else by the duplicate rules of the object, such as an equal email or a similar name.
With --duplicates skip one that matches is left out; else it updates the record. A row that matches several fails.
--duplicates create makes another record of every row.

With --dry-run each row is checked as in an import, its result says what would become of it, and nothing is written. A
row is checked against the records that exist and the other rows of its batch of up to 250, and not against earlier
batches.

A connection that breaks is waited for. The same command, given again after it was ended in any way, goes on where it
was: <file>.job next to the file names its job, until a command has printed the result. No row is written twice. A
job whose file is not whole is deleted after ${JOB_UPLOAD_HOURS} hours.

Ctrl-C ends the command. The job goes on if it has its whole file, and waits for the rest otherwise; with
--cancel-on-interrupt it is cancelled.

Examples:
  $ rapport jobs import people.ndjson --org acme --object people --match-on email --wait
  $ rapport jobs import people.csv --org acme --object people --map Mail=email --leave-out Notes --create-missing`

export const importCommand = (): Command =>
  objectCommand('import', 'Create or update a record for each row of a file')
    .argument('<file>', 'NDJSON, or CSV with a header')
    .addOption(new Option('--format <format>', 'default: by the name of the file').choices(JOB_FORMATS))
    .option('--map <header=slug>', 'the attribute a column of CSV fills; may be repeated', collectMap)
    .option('--leave-out <header>', 'leave a column of CSV out; may be repeated', collect)
    .option('--match-on <slug>', 'update the record with the same value of this unique attribute, or id')
    .addOption(
      new Option('--duplicates <choice>', 'what becomes of rows that match a record').choices(MATCH_CHOICES),
    )
    .option('--duplicate-rules', 'compare rows by all unique values and the duplicate rules too')
    .addOption(new Option('--dates <order>', 'the order in dates of CSV; default: ymd').choices(JOB_DATES))
    .addOption(
      new Option('--decimal <sign>', 'what decimals of CSV follow; default: .').choices(JOB_DECIMALS),
    )
    .addOption(
      new Option('--empty <effect>', 'what an empty cell does to a value; default: keep').choices(
        EMPTY_CELLS,
      ),
    )
    .option('--create-missing', 'create the records that references name and that do not exist')
    .option('--dry-run', 'check each row, and write nothing')
    .option(...WAIT)
    .option(...CANCEL_ON_INTERRUPT)
    .addHelpText('after', HELP)
    .action(importFile)
