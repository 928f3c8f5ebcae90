// Columns of Rapport's exports that are not attributes.
import { isUuid } from '../../contract/common.ts'
import type { ImportColumn } from '../../contract/imports.ts'

export const isIdColumn = ({ header, samples }: ImportColumn): boolean =>
  header.trim().toLowerCase() === 'id' && samples.length > 0 && samples.every(isUuid)

/** A column that shows that the file is an export. */
export const isExportColumn = (column: ImportColumn): boolean =>
  ['createdAt', 'updatedAt'].includes(column.header) || isIdColumn(column)
