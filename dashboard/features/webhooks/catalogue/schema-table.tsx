// The fields of a body, with types and descriptions.

import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CodeBox } from '../../../ui/code-box.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import type { CatalogueEntry } from '../api/webhooks.ts'
import { type SchemaRow, schemaRows } from './schema-rows.ts'

const COLUMNS: Columns<SchemaRow> = [
  {
    title: 'Field',
    kind: 'name',
    className: 'breakable',
    cellProps: () => ({ style: { fontWeight: 400, whiteSpace: 'normal' } }),
    cell: ({ path, description }) => (
      <>
        <code className={dataTable.mono}>{path}</code>
        <div>
          <span className={`${dataTable.narrow} ${dataTable.second}`}>{description}</span>
        </div>
      </>
    ),
  },
  {
    title: 'Type',
    className: 'breakable',
    cell: ({ type, isRequired }) => (
      <>
        <code className={dataTable.mono}>{type}</code>
        {!isRequired && <span className="muted tiny"> optional</span>}
      </>
    ),
  },
  { title: 'Description', onlyWide: true, cell: ({ description }) => description },
]

const VIEWS = [
  { value: 'fields', label: 'Fields' },
  { value: 'schema', label: 'JSON Schema' },
]

export function SchemaTable({ entry }: { entry: CatalogueEntry }) {
  const [view, setView] = useState('fields')
  return (
    <>
      <SegmentedControl
        aria-label="Show the body as"
        data={VIEWS}
        value={view}
        onChange={setView}
        mr="auto"
      />
      {view === 'fields' ? (
        <DataTable columns={COLUMNS} rows={schemaRows(entry.schema)} rowId={({ path }) => path} />
      ) : (
        <CodeBox code={JSON.stringify(entry.schema, null, 2)} label="Copy JSON Schema" />
      )}
    </>
  )
}
