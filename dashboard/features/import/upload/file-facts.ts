// Checks a file before the upload, and formats sizes and counts of rows.

import { counted } from '../../../../contract/counted.ts'
import { formatBytes } from '../../../ui/bytes.ts'

const WORKBOOK = /\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i
const TABLE = /\.(?:csv|tsv|tab|txt)$/i

const isText = ({ name, type }: Pick<File, 'name' | 'type'>) => TABLE.test(name) || type.startsWith('text/')

/** Why the file is refused before the upload; undefined when it may be valid. */
export function refusalOf(file: Pick<File, 'name' | 'size' | 'type'>, maxBytes: number): string | undefined {
  const { name, size } = file
  if (WORKBOOK.test(name))
    return `${name} is a workbook. Save it as “CSV UTF-8” in your spreadsheet program, then choose that file.`
  if (!isText(file)) return `${name} is not a CSV file. Choose a file that ends in .csv, .tsv or .txt.`
  if (size === 0) return `${name} is empty. Choose a file with a header and at least one row.`
  if (size > maxBytes)
    return `${name} is ${formatBytes(size)}; the limit is ${formatBytes(maxBytes)}. Split it and import the parts one after the other.`
  return undefined
}

/** `1 row`, `505 rows` */
export const rowsText = (rows: number): string => counted(rows, 'row')
