// A preview of the first rows.

import { Table } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { hasDefault } from '../../../../contract/default-values.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { tintOfOption } from '../../../shared/values/attribute-config.ts'
import { TYPES } from '../../../types/types.ts'
import { Chip, tintOf } from '../../../ui/chip.tsx'
import type { Import } from '../api.ts'
import { clearsEmpty, type Draft } from '../map/mapping.ts'
import classes from '../page/import.module.css'
import { StepTable } from '../page/step-list.tsx'
import { useImportPage } from '../page/use-import-page.ts'
import { rowsText } from '../upload/file-facts.ts'
import { type PreviewColumn, type PreviewValue, previewColumns, previewValues } from './preview.ts'

const SHOWN = 8

function One({ value, attribute }: { value: PreviewValue; attribute: Attribute }) {
  if (value.problem !== undefined)
    return (
      <span className="inline gap-4 danger" title={`${value.text}: ${value.problem}`}>
        <TriangleAlert size={12} aria-hidden />
        {value.text}
        <span className="visually-hidden">: {value.problem}</span>
      </span>
    )
  if (attribute.type === 'select')
    return <Chip index={tintOfOption(attribute, value.text)}>{value.text}</Chip>
  if (attribute.type === 'list') return <Chip index={tintOf(value.text)}>{value.text}</Chip>
  return value.text
}

const SEPARATOR = ' '

function Cell({ column, cells, draft }: { column: PreviewColumn; cells: readonly string[]; draft: Draft }) {
  const { organization } = useOrganization()
  const { attribute } = column
  const values = previewValues(column, cells, { format: draft.format, currency: organization.currency })
  // A default replaces an empty cell, unless empty cells clear values.
  const isMissing =
    values.length === 0 && attribute.isRequired && (!hasDefault(attribute) || clearsEmpty(draft))
  return (
    <Table.Td
      data-numeric={TYPES[attribute.type].isNumeric}
      title={values.map(({ text }) => text).join(', ')}
    >
      {isMissing && <span className="inline gap-4 danger">missing</span>}
      {values.length === 0 && !attribute.isRequired && clearsEmpty(draft) && (
        <span className="muted">cleared</span>
      )}
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements of a value have no identity but their place
        <span key={at}>
          {at > 0 && SEPARATOR}
          <One value={value} attribute={attribute} />
        </span>
      ))}
    </Table.Td>
  )
}

function Head({ columns }: { columns: readonly PreviewColumn[] }) {
  return (
    <Table.Thead>
      <Table.Tr className="muted">
        {columns.map(({ attribute: { slug, name, type } }) => {
          const Icon = TYPES[type].icon
          return (
            <Table.Th key={slug} data-numeric={TYPES[type].isNumeric}>
              <span className="inline gap-6">
                <Icon className="muted" size={14} aria-hidden />
                {name}
              </span>
            </Table.Th>
          )
        })}
      </Table.Tr>
    </Table.Thead>
  )
}

function Rows({ rows, columns, draft }: { rows: string[][]; columns: PreviewColumn[]; draft: Draft }) {
  return (
    <Table.Tbody>
      {rows.map((cells, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no identity but their place
        <Table.Tr key={row}>
          {columns.map((column) => (
            <Cell key={column.attribute.slug} column={column} cells={cells} draft={draft} />
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  )
}

export function PreviewTable({ file, draft }: { file: Import; draft: Draft }) {
  const { object } = useImportPage()
  const columns = previewColumns(draft, object.attributes)
  const rows = file.preview.slice(0, SHOWN)
  if (columns.length === 0 || rows.length === 0) return null
  const title = rows.length === file.rows ? 'Preview' : `Preview of the first ${rowsText(rows.length)}`
  return (
    <StepTable title={title}>
      <Table className={classes.table}>
        <Head columns={columns} />
        <Rows rows={rows} columns={columns} draft={draft} />
      </Table>
    </StepTable>
  )
}
