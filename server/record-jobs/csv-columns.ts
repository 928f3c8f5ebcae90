// Finds the attribute that each column of a CSV file fills: by the settings of the job, or else by the header.
import type { Problem } from '../../contract/errors.ts'
import type { CellFormat } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalid, invalidField } from '../base/errors.ts'
import { listed } from '../base/suggestions.ts'
import type { Db } from '../db/pool.ts'
import { formatOf, PLAIN_FORMAT } from '../imports/content.ts'
import { decodeText, type Encoding } from '../imports/csv/encoding.ts'
import { sampleFile } from '../imports/csv/survey.ts'
import { requireReferred } from '../imports/reference-columns.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { type Mapping, mapColumns } from '../records/import/columns.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import type { JobRef, JobSettings } from './store.ts'

export type CsvHead = Required<Pick<JobSettings, 'headers' | 'delimiter' | 'dates' | 'decimal'>>

interface Reading extends Pick<JobSettings, 'dates' | 'decimal'> {
  encoding: Encoding
  /** The country of the organization, for formats that the file does not show. */
  country: string
}

/** Uses the settings of the job, and detects the others from the file. @throws 400 validation_error */
export async function readHead(
  db: Db,
  ref: JobRef,
  { encoding, country, dates = PLAIN_FORMAT.dates, decimal = PLAIN_FORMAT.decimal }: Reading,
): Promise<CsvHead> {
  const isGuessed = dates === 'auto' || decimal === 'auto'
  const text = decodeText(readContent(db, ref), encoding)
  const { columns, delimiter } = (await sampleFile(text, { hasSamples: isGuessed })) ?? noHeader()
  const shown = isGuessed ? formatOf(columns, country) : PLAIN_FORMAT
  return {
    headers: columns.map(({ header }) => header.trim()),
    delimiter,
    dates: dates === 'auto' ? shown.dates : dates,
    decimal: decimal === 'auto' ? shown.decimal : decimal,
  }
}

function noHeader(): never {
  throw invalidField('', 'required', 'must have a row with the names of the columns: add it')
}

/** @throws Error if the formats of the file were not detected yet */
export function cellFormatOf({ dates = 'ymd', decimal = '.' }: JobSettings): CellFormat {
  if (dates === 'auto' || decimal === 'auto') throw new Error('The file of the job was not looked at')
  return { dates, decimal }
}

/** Adapts a problem to the API, which has a field instead of the option of the command. */
const inFields = ({ path, message, ...one }: Problem): Problem => ({
  ...one,
  path: path.replace(/^map\./, 'columns.'),
  message: message.replaceAll('with --map', 'in columns'),
})

function toFields(error: unknown): never {
  const errors = error instanceof AppError ? error.details?.['errors'] : undefined
  if (!Array.isArray(errors)) throw error
  throw invalid('validation_error', (errors as Problem[]).map(inFields))
}

/** Columns of exports whose values the service sets. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt'])

/** @throws 400 validation_error that lists columns without an attribute */
export function mappingOf(
  model: ObjectModel,
  headers: readonly string[],
  { columns = {}, matchOn, duplicates }: JobSettings,
): Mapping {
  const map = new Map(
    Object.entries(columns).flatMap(([header, slug]) => (slug === null ? [] : [[header, slug]])),
  )
  const left = new Set(Object.keys(columns).filter((header) => columns[header] === null))
  const kept = headers.map((header) => (left.has(header) ? '' : header))
  try {
    const mapping = mapColumns(model, kept, { map, matchOn, duplicates })
    const unused = mapping.skipped.filter((header) => header !== '' && !OWN.has(header))
    if (unused.length === 0) return { ...mapping, headers }
    throw invalidField(
      'columns',
      'unknown_column',
      `no attribute is filled by ${listed(unused)}: name one for each, or null to leave the column out`,
    )
  } catch (error) {
    toFields(error)
  }
}

/** @throws 400 validation_error */
export async function checkColumns(ctx: JobsContext, caller: Caller, mapping: Mapping): Promise<void> {
  await requireReferred(ctx, caller, mapping.columns, ({ header }) => `columns.${header}`)
}
