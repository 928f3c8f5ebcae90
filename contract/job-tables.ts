// The options with which import jobs read CSV tables.
import { Type } from 'typebox'
import { literals, Nullable, StrictObject } from './common.ts'
import { DATE_ORDERS, DECIMAL_SIGNS, EMPTY_CELLS } from './imports.ts'

export const TableColumns = Type.Unsafe<Record<string, string | null>>(
  Type.Object(
    {},
    {
      additionalProperties: Nullable(Type.String({ minLength: 1, maxLength: 127 })),
      description:
        'Only for CSV imports: by header, the slug of the attribute that the column fills, `slug.part` for a part of a value, `company.domain` if cells identify records by a unique value, or null to ignore the column',
      examples: [{ Mail: 'email', Notes: null }],
    },
  ),
)

export const JOB_DATES = [...DATE_ORDERS, 'auto'] as const
export type JobDates = (typeof JOB_DATES)[number]
export const JOB_DECIMALS = [...DECIMAL_SIGNS, 'auto'] as const
export type JobDecimal = (typeof JOB_DECIMALS)[number]

export const TableDates = literals(JOB_DATES, {
  default: 'ymd',
  description:
    'Only for CSV imports: the format of dates. ymd: year first, such as 2026-11-20, which is always accepted. dmy: also 20.11.2026 or 20/11/26. mdy: also 11/20/2026. auto: detected from the first 1,000 rows, else from the organization’s country',
})
export const TableDecimal = literals(JOB_DECIMALS, {
  default: '.',
  description:
    'Only for CSV imports: the decimal separator of numbers. auto: detected from the first 1,000 rows, else from the organization’s country',
})
export const TableEmptyCells = literals(EMPTY_CELLS, {
  default: 'keep',
  description:
    'Only for CSV imports: the effect of an empty cell on a record that the row updates. keep: the value stays. clear: the value is removed',
})

export const DuplicateRules = Type.Boolean({
  default: false,
  description:
    'Only for imports. true: a line also matches a record that existed when the job was created: by its other unique values, else by the active duplicate rules of the object; a line that matches several records fails. Requires the scope `records:read` in addition to `records:write`',
})

export const ImportDryRun = Type.Boolean({
  default: false,
  description:
    'Only for imports. true: check each row as an import would, and write nothing. A row is checked against the records that exist and the other rows of its batch of up to 250 rows, but not against earlier batches',
})

/** Fields that only imports with the format csv have. */
export const CSV_FIELDS = ['columns', 'dates', 'decimal', 'emptyCells'] as const

/** The end of error messages about a file that cannot be read. */
export const ANOTHER_JOB = ', cancel this job, and create another one for the corrected file'

export const JobReading = StrictObject(
  {
    encoding: Nullable(Type.String({ examples: ['windows-1252'] }), {
      description: 'utf-8, utf-16le, utf-16be or windows-1252; null: the file is not complete',
    }),
    delimiter: Nullable(Type.String({ examples: [';'] }), {
      description: 'Cell separator; null: the file is not complete',
    }),
    dates: literals(JOB_DATES, { description: 'auto until the file is complete' }),
    decimal: literals(JOB_DECIMALS, { description: 'auto until the file is complete' }),
    emptyCells: literals(EMPTY_CELLS),
  },
  { description: 'How the file of a CSV import is parsed' },
)

const EXPORT_FIELDS_MAX = 500
/** Of a path with two slugs and a part. */
const FIELD_CHARACTERS_MAX = 150

export const ExportFields = Type.Array(Type.String({ minLength: 1, maxLength: FIELD_CHARACTERS_MAX }), {
  minItems: 1,
  maxItems: EXPORT_FIELDS_MAX,
  description:
    'Attributes that the file has, in this order in a table; without `fields`: all. A slug, a part of a value, such as `address.city`, or an attribute of the record that a reference leads to, such as `company.domain`. In JSON lines such a value is in its place, `{"company": {"domain": "acme.com"}}`',
  examples: [['name', 'email', 'company.domain']],
})
