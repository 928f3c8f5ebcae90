// Shows how rapport import and jobs read a file, before anything is written.
import { writtenAs } from '../contract/csv-words.ts'
import type { CellFormat } from '../contract/imports.ts'
import type { CsvFile } from '../server/imports/csv/open.ts'
import { plainCell } from '../server/imports/local-format.ts'
import type { Column, Mapping } from '../server/records/import/columns.ts'

interface ColumnReading {
  header: string
  /** The slug, or slug.part. */
  attribute: string
  /** The first cell that is not empty, and in `value` how it is read; null if there is none. */
  cell: string | null
  value: string | null
}

export interface ImportReading extends CellFormat {
  encoding: string
  delimiter: string
  columns: ColumnReading[]
}

const DATES: Readonly<Record<CellFormat['dates'], string>> = {
  ymd: 'year first',
  dmy: 'day first',
  mdy: 'month first',
}
const DECIMALS: Readonly<Record<CellFormat['decimal'], string>> = { '.': 'a point', ',': 'a comma' }

function columnReading(column: Column, samples: readonly string[], format: CellFormat): ColumnReading {
  const { header, attribute, part } = column
  const cell = samples[0] ?? null
  return {
    header,
    attribute: part === undefined ? attribute.slug : `${attribute.slug}.${part}`,
    cell,
    value: cell === null ? null : plainCell(cell, column, format),
  }
}

export const readingOf = (
  { encoding, survey }: Pick<CsvFile, 'encoding' | 'survey'>,
  { columns }: Mapping,
  format: CellFormat,
): ImportReading => ({
  encoding,
  delimiter: survey.delimiter,
  ...format,
  columns: columns.map((column) =>
    columnReading(column, survey.columns[column.index]?.samples ?? [], format),
  ),
})

/** The text without line breaks and control characters, which a terminal would execute. */
const shown = (text: string | null): string => (text ?? '').replaceAll(/\p{Cc}+/gu, ' ')

const columnLine = ({ header, attribute, cell, value }: ColumnReading): string => {
  const read = value === cell ? shown(cell) : `${shown(cell)} is read as ${shown(value)}`
  return `  ${shown(header)} fills ${attribute}${cell === null ? '' : `: ${read}`}`
}

/** Describes the format of the file, its dates and its numbers. */
export const formatText = (reading: Omit<ImportReading, 'columns'>): string =>
  `${writtenAs(reading)}; dates ${DATES[reading.dates]}, decimals after ${DECIMALS[reading.decimal]}`

export const readingLines = (file: string, reading: ImportReading): string[] => [
  `${file}: ${formatText(reading)}`,
  ...reading.columns.map(columnLine),
]
