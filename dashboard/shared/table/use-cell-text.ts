// The text of cells. References use the names that are already loaded.
import { useQueryClient } from '@tanstack/react-query'
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import { recordNameQuery } from '../api/record-names.ts'
import type { CrmRecord } from '../api/records.ts'
import { namedBy } from '../values/attribute-config.ts'
import { formatValue } from '../values/format-value.ts'
import type { TableColumn } from './columns.ts'
import { useTable } from './table-context.ts'

const plainText = (attribute: Attribute, value: unknown): string =>
  TYPES[attribute.type].formatPlain?.(value) ?? formatValue(attribute, value)

const elements = (value: unknown) => (Array.isArray(value) ? value : value === undefined ? [] : [value])

export function useCellText(): (column: TableColumn, record: CrmRecord) => string {
  const client = useQueryClient()
  const { org, nameOf } = useTable()
  return ({ slug, attribute }, record) => {
    if (slug === 'created_at') return record.createdAt
    if (slug === 'updated_at') return record.updatedAt
    if (!attribute) return nameOf(record)
    const value = record.data[attribute.slug]
    const objectId = namedBy(attribute)
    if (objectId === undefined)
      return elements(value)
        .map((one) => plainText(attribute, one))
        .join(', ')
    const name = (recordId: string) =>
      client.getQueryData(recordNameQuery(org, { objectId, recordId }).queryKey) ?? recordId
    return elements(value)
      .map((id) => name(String(id)))
      .join(', ')
  }
}
