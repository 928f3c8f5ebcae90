// How the imports of jobs read tables: CSV.
import { Type } from 'typebox'
import { literals, Nullable, StrictObject } from './common.ts'
import { DATE_ORDERS, DECIMAL_SIGNS, EMPTY_CELLS } from './imports.ts'

export const TableColumns = Type.Unsafe<Record<string, string | null>>(
  Type.Object(
    {},
    {
      additionalProperties: Nullable(Type.String({ minLength: 1, maxLength: 127 })),
      description:
        'Of an import of csv, by header: the slug of the attribute that the column fills, `slug.part` for a part of a value, `company.domain` where cells name records by a unique value, or null to leave the column out',
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
    'Of an import of csv, the order in which dates are written: year first as in requests, such as 2026-11-20, which is understood always; dmy: also 20.11.2026 or 20/11/26; mdy: also 11/20/2026; auto: the order that the first 1,000 rows show, or else that of the organization’s country',
})
export const TableDecimal = literals(JOB_DECIMALS, {
  default: '.',
  description:
    'Of an import of csv, what decimals of numbers follow; auto: the sign that the first 1,000 rows show, or else that of the organization’s country',
})
export const TableEmptyCells = literals(EMPTY_CELLS, {
  default: 'keep',
  description:
    'Of an import of csv, what an empty cell does to the value of a record that its row updates. keep: the value stays. clear: it is removed',
})

export const DuplicateRules = Type.Boolean({
  default: false,
  description:
    'Of an import. true: a line also matches a record that was there when the job was created by its other unique values, else by the active duplicate rules of the object; one that matches several records fails. It needs the scope `records:read` besides `records:write`',
})

/** The fields that only an import of csv has. */
export const CSV_FIELDS = ['columns', 'dates', 'decimal', 'emptyCells'] as const

/** Ends what is said of a file that cannot be read. */
export const ANOTHER_JOB = ', cancel this job, and create another one for the corrected file'

export const JobReading = StrictObject(
  {
    encoding: Nullable(Type.String({ examples: ['windows-1252'] }), {
      description: 'utf-8, utf-16le, utf-16be or windows-1252; null: the file is not complete',
    }),
    delimiter: Nullable(Type.String({ examples: [';'] }), {
      description: 'What separates cells; null: the file is not complete',
    }),
    dates: literals(JOB_DATES, { description: 'auto: until the file is complete' }),
    decimal: literals(JOB_DECIMALS, { description: 'auto: until the file is complete' }),
    emptyCells: literals(EMPTY_CELLS),
  },
  { description: 'How the file of an import of csv is read' },
)
