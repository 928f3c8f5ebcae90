// A preview of the first rows.

import { TriangleAlert } from 'lucide-react'
import { hasDefault } from '../../../../contract/default-values.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { tintOfOption } from '../../../shared/values/attribute-config.ts'
import { TYPES } from '../../../types/types.ts'
import { Chip, tintOf } from '../../../ui/chip.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
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

function Values({ column: { attribute }, values, draft }: CellProps & { values: readonly PreviewValue[] }) {
  // A default replaces an empty cell, unless empty cells clear values.
  const isMissing =
    values.length === 0 && attribute.isRequired && (!hasDefault(attribute) || clearsEmpty(draft))
  return (
    <>
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
    </>
  )
}

function Title({ attribute: { name, type } }: PreviewColumn) {
  const Icon = TYPES[type].icon
  return (
    <span className="inline gap-6">
      <Icon className="muted" size={14} aria-hidden />
      {name}
    </span>
  )
}

interface CellProps {
  column: PreviewColumn
  draft: Draft
}

function columnOf({ column, draft }: CellProps, currency: string): Column<string[]> {
  const valuesOf = (cells: string[]) => previewValues(column, cells, { format: draft.format, currency })
  return {
    id: column.attribute.slug,
    title: <Title {...column} />,
    kind: TYPES[column.attribute.type].isNumeric ? 'number' : undefined,
    cell: (cells) => <Values column={column} values={valuesOf(cells)} draft={draft} />,
    cellProps: (cells) => ({
      title: valuesOf(cells)
        .map(({ text }) => text)
        .join(', '),
    }),
  }
}

export function PreviewTable({ file, draft }: { file: Import; draft: Draft }) {
  const { object } = useImportPage()
  const { organization } = useOrganization()
  const columns = previewColumns(draft, object.attributes)
  const rows = file.preview.slice(0, SHOWN)
  if (columns.length === 0 || rows.length === 0) return null
  const title = rows.length === file.rows ? 'Preview' : `Preview of the first ${rowsText(rows.length)}`
  return (
    <StepTable title={title}>
      <DataTable
        look={dataTable.grid}
        className={classes.table}
        columns={columns.map((column) => columnOf({ column, draft }, organization.currency))}
        rows={rows}
      />
    </StepTable>
  )
}
