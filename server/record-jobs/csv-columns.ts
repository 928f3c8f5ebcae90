// Which attribute each column of a CSV file fills: what the job says, else its header.
import type { Problem } from '../../contract/errors.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalid, invalidField } from '../base/errors.ts'
import { listed } from '../base/suggestions.ts'
import type { Db } from '../db/pool.ts'
import { decodeText } from '../imports/csv/encoding.ts'
import { openCsvText } from '../imports/csv/read.ts'
import { requireReferred } from '../imports/reference-columns.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { type Mapping, mapColumns } from '../records/import/columns.ts'
import { readContent } from './content-store.ts'
import type { JobsContext } from './context.ts'
import type { JobRef, JobSettings } from './store.ts'

export interface CsvHead {
  headers: string[]
  delimiter: string
}

const text = (db: Db, ref: JobRef) => decodeText(readContent(db, ref), 'utf-8')

/** @throws 400 validation_error */
export async function readHead(db: Db, ref: JobRef): Promise<CsvHead> {
  const { delimiter, pieces } = await openCsvText(text(db, ref))
  for await (const rows of pieces)
    for (const { cells } of rows) {
      await pieces.return(undefined)
      return { headers: cells.map((cell) => cell.trim()), delimiter }
    }
  throw invalidField(
    '',
    'required',
    'must have a row with the names of the columns: send a file with a header',
  )
}

/** The command has an option where the API has a field. */
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

/** Of exports: the service sets them. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt'])

/** @throws 400 validation_error naming columns that fill nothing */
export function mappingOf(
  model: ObjectModel,
  headers: readonly string[],
  { columns = {}, matchOn }: JobSettings,
): Mapping {
  const map = new Map(
    Object.entries(columns).flatMap(([header, slug]) => (slug === null ? [] : [[header, slug]])),
  )
  const left = new Set(Object.keys(columns).filter((header) => columns[header] === null))
  const kept = headers.map((header) => (left.has(header) ? '' : header))
  try {
    const mapping = mapColumns(model, kept, { map, ...(matchOn !== undefined && { matchOn }) })
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
