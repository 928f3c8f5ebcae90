// Cells as text, references as the names that are known.
import { useQueryClient } from '@tanstack/react-query'
import { recordNameQuery } from '../../api/record-names.ts'
import type { CrmRecord } from '../../api/records.ts'
import { formatValue } from '../values/format.ts'
import { targetOf } from '../values/value-view.tsx'
import type { TableColumn } from './columns.ts'
import { useTable } from './table-context.ts'

const elements = (value: unknown) => (Array.isArray(value) ? value : value === undefined ? [] : [value])

export function useCellText(): (column: TableColumn, record: CrmRecord) => string {
  const client = useQueryClient()
  const { org, nameOf } = useTable()
  return ({ slug, attribute }, record) => {
    if (slug === 'created_at') return record.createdAt
    if (slug === 'updated_at') return record.updatedAt
    if (!attribute) return nameOf(record)
    const value = record.data[attribute.slug]
    if (attribute.type !== 'reference') return formatValue(attribute, value)
    const objectId = targetOf(attribute) ?? ''
    const name = (recordId: string) =>
      client.getQueryData(recordNameQuery(org, { objectId, recordId }).queryKey) ?? recordId
    return elements(value)
      .map((id) => name(String(id)))
      .join(', ')
  }
}
