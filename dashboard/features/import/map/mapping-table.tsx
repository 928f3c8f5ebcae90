// The columns of the file with their targets.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { type Attribute, objectQuery } from '../../../shared/api/objects.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import type { Import } from '../api.ts'
import classes from '../page/import.module.css'
import { useImportPage } from '../page/use-import-page.ts'
import { ColumnNote } from './column-note.tsx'
import { clashOf, type Draft, NOTHING, type Target, withTarget } from './mapping.ts'
import { NewAttribute } from './new-attribute.tsx'
import { NEW_ATTRIBUTE, optionsOf, type Referred, TargetSelect } from './target-select.tsx'

type FileColumn = Import['columns'][number]

const nameOf = ({ header, index }: FileColumn) => (header.trim() === '' ? `Column ${index + 1}` : header)

function Name({ column }: { column: FileColumn }) {
  const { samples } = column
  return (
    <>
      <span className="block truncate medium" title={nameOf(column)}>
        {nameOf(column)}
      </span>
      <span className="block truncate muted tiny" title={samples.join('\n')}>
        {samples.length === 0 ? 'no values in the first rows' : samples.slice(0, 4).join(' · ')}
      </span>
    </>
  )
}

interface MappingTableProps {
  file: Import
  draft: Draft
  onChange(draft: Draft): void
}

/** Attributes of the objects that references point to. Until they are loaded, only the references are offered. */
function useReferred(attributes: readonly Attribute[]): Referred {
  const org = useOrg()
  const ids = new Set(attributes.flatMap((attribute) => objectOf(attribute) ?? []))
  const objects = useQueries({ queries: [...ids].map((id) => objectQuery(org, id)) })
  return new Map(objects.flatMap(({ data }) => (data ? [[data.id, data.attributes] as const] : [])))
}

export function MappingTable({ file, draft, onChange }: MappingTableProps) {
  const { object } = useImportPage()
  const { may } = useOrganization()
  const [making, setMaking] = useState<number>()
  const options = optionsOf(object, { mayAdd: may('admin'), referred: useReferred(object.attributes) })
  const choose = (index: number) => (target: Target) =>
    target === NEW_ATTRIBUTE ? setMaking(index) : onChange(withTarget(draft, index, target, object))
  const columns: Columns<FileColumn> = [
    { title: 'Column of the file', kind: 'name', cell: (column) => <Name column={column} /> },
    {
      title: 'Imported as',
      width: 280,
      cell: (column) => (
        <TargetSelect
          label={`Attribute for ${nameOf(column)}`}
          options={options}
          target={draft.targets[column.index] ?? NOTHING}
          hasError={clashOf(draft, column.index) !== undefined}
          onChange={choose(column.index)}
        />
      ),
    },
    {
      title: <span className="visually-hidden">Note</span>,
      width: 240,
      cell: ({ index }) => <ColumnNote file={file} draft={draft} index={index} onChange={onChange} />,
    },
  ]
  return (
    <>
      <DataTable
        label="Columns of the file and what they fill"
        look={dataTable.grid}
        className={`${classes.mapping} ${classes.stacked}`}
        columns={columns}
        rows={file.columns}
        rowId={({ index }) => String(index)}
      />
      {making !== undefined && (
        <NewAttribute
          file={file}
          index={making}
          onMade={(slug) => onChange(withTarget(draft, making, slug, object))}
          onClose={() => setMaking(undefined)}
        />
      )}
    </>
  )
}
