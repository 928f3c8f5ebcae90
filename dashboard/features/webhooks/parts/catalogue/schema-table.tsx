// The fields of a body: which, of what type, what for.

import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CodeBox } from '../../../../ui/code-box.tsx'
import dataTable from '../../../../ui/data-table/data-table.module.css'
import type { CatalogueEntry } from '../../api/webhooks.ts'
import { type SchemaRow, schemaRows } from './schema-rows.ts'

function Row({ row }: { row: SchemaRow }) {
  return (
    <tr>
      <th scope="row" className="breakable" style={{ fontWeight: 400, whiteSpace: 'normal' }}>
        <code className={dataTable.mono}>{row.path}</code>
        <div>
          <span className={`${dataTable.narrow} ${dataTable.second}`}>{row.description}</span>
        </div>
      </th>
      <td className="breakable">
        <code className={dataTable.mono}>{row.type}</code>
        {!row.isRequired && <span className="muted tiny"> optional</span>}
      </td>
      <td className={dataTable.wide}>{row.description}</td>
    </tr>
  )
}

function Fields({ entry }: { entry: CatalogueEntry }) {
  return (
    <table className={dataTable.table}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col" className={dataTable.wide}>
            Description
          </th>
        </tr>
      </thead>
      <tbody>
        {schemaRows(entry.schema).map((row) => (
          <Row key={row.path} row={row} />
        ))}
      </tbody>
    </table>
  )
}

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
        <Fields entry={entry} />
      ) : (
        <CodeBox code={JSON.stringify(entry.schema, null, 2)} label="Copy JSON Schema" />
      )}
    </>
  )
}
