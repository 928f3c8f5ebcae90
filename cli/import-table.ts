// The table of rapport import: how it is read, which attribute each column fills, and the body of its job.
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { CellFormat, DuplicateChoice, EmptyCells } from '../contract/imports.ts'
import { NewJob } from '../contract/jobs.ts'
import type { Caller } from '../server/base/caller.ts'
import { invalidField } from '../server/base/errors.ts'
import type { CsvFile } from '../server/imports/csv/open.ts'
import type { Mapping } from '../server/records/import/columns.ts'
import { checked } from './checked.ts'
import { statFile } from './job-reference.ts'
import type { CliSession } from './session.ts'

export interface TableOptions {
  object: string
  map?: Map<string, string>
  matchOn?: string
  strict?: true
  dates?: CellFormat['dates']
  decimal?: CellFormat['decimal']
  empty: EmptyCells
  duplicates?: DuplicateChoice
  createMissing?: true
}

export interface Table extends CsvFile {
  /** false for a pipe, which can be read only once. */
  isFile: boolean
}

/** Opens the file only when the first byte is read, so that the reader gets the error. */
async function* bytesOf(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const bytes of createReadStream(file)) {
    signal.throwIfAborted()
    yield bytes as Buffer
  }
}

/** Names of streams, such as /dev/stdin: their folders cannot have a .job file. */
const OF_SYSTEM = /^\/(dev\/(stdin$|fd\/)|proc\/)/

/** Reads a file completely once before anything is written, so that an unreadable file has no effects. */
export async function openTable(file: string, signal: AbortSignal): Promise<Table> {
  const info = await statFile(file)
  const { openCsv, openCsvStream } = await import('../server/imports/csv/open.ts')
  const isFile = info.isFile() && !OF_SYSTEM.test(resolve(file))
  const bytes = () => bytesOf(file, signal)
  return { ...(await (isFile ? openCsv(bytes) : openCsvStream(bytes()))), isFile }
}

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

function requireAllUsed({ skipped }: Mapping): void {
  if (skipped.length === 0) return
  throw invalidField(
    'columns',
    'unknown_column',
    `no attribute is filled by ${quoted(skipped)}: map them with --map, or leave out --strict`,
  )
}

/** @throws AppError validation_error, not_found, object_inactive */
export async function mapTable(
  { ctx }: CliSession,
  caller: Caller,
  { survey }: Table,
  { object, map = new Map(), matchOn, duplicates, strict }: TableOptions,
): Promise<Mapping> {
  const [{ mapColumns }, { refuseMatching }, { referredAttributes, requireReferred }, { requireActive }] =
    await Promise.all([
      import('../server/records/import/columns.ts'),
      import('../server/imports/settings.ts'),
      import('../server/imports/reference-columns.ts'),
      import('../server/records/read/record-of.ts'),
    ])
  const model = await ctx.models.get(ctx.db, caller.org, object)
  requireActive(model)
  refuseMatching(matchOn, duplicates)
  const mapping = mapColumns(
    model,
    survey.columns.map(({ header }) => header.trim()),
    { map: trimmed(map), matchOn, duplicates, referred: await referredAttributes(ctx, caller, model) },
  )
  await requireReferred(ctx, caller, mapping.columns, ({ header }) => `map.${header}`)
  if (strict) requireAllUsed(mapping)
  return mapping
}

const trimmed = (map: ReadonlyMap<string, string>) =>
  new Map([...map].map(([header, target]) => [header.trim(), target]))

/** The format of the options, else as read from the table, else the format of the organization's country. */
export async function formatOfTable(
  { survey }: Table,
  { country }: Caller,
  { dates, decimal }: TableOptions,
): Promise<CellFormat> {
  const { formatOf } = await import('../server/imports/content.ts')
  const guessed = formatOf(survey.columns, country)
  return { dates: dates ?? guessed.dates, decimal: decimal ?? guessed.decimal }
}

/** The body of the job. Columns that fill no attribute are left out. */
export function bodyOf(
  { object, map = new Map(), matchOn, duplicates, empty, createMissing }: TableOptions,
  { skipped }: Mapping,
  format: CellFormat,
): NewJob {
  const left = skipped.filter((header) => header !== '').map((header) => [header, null] as const)
  return checked(NewJob, {
    ...{ type: 'import', objectId: object, format: 'csv', ...format, emptyCells: empty },
    columns: Object.fromEntries([...trimmed(map), ...left]),
    ...(matchOn !== undefined && { matchOn }),
    ...(duplicates && { duplicates }),
    ...((duplicates === 'skip' || duplicates === 'update') && { duplicateRules: true }),
    ...(createMissing && { createMissing }),
  })
}
