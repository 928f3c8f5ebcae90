import { DndContext } from '@dnd-kit/core'
import { ActionIcon } from '@mantine/core'
import { Inbox, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { EmptyState, ErrorState } from '../shared/state.tsx'
import { CodeLine, Line, SecondLine, TitleLink } from '../ui/data-table/cells.tsx'
import type { Columns } from '../ui/data-table/columns.ts'
import classes from '../ui/data-table/data-table.module.css'
import { DataTable } from '../ui/data-table/data-table.tsx'
import { OpenRow } from '../ui/data-table/open-row.tsx'
import { moved } from '../ui/moved.ts'
import { PartPending } from '../ui/page-pending.tsx'
import { Section } from '../ui/sections.tsx'
import { MoveHandle, useSorting } from '../ui/sorting.tsx'

interface Row {
  id: string
  name: string
  note: string
  deals: number
}

const ROWS: readonly Row[] = [
  { id: 'acme', name: 'Acme', note: 'A customer since 2019', deals: 12 },
  {
    id: 'globex',
    name: 'Globex',
    note: `A note that is cut off at the end${' of its cell'.repeat(12)}`,
    deals: 3,
  },
  { id: 'initech', name: 'Initech', note: '', deals: 0 },
]

const COLUMNS: Columns<Row> = [
  { id: 'name', title: 'Name', kind: 'name', cell: ({ name }) => <TitleLink to="/">{name}</TitleLink> },
  {
    title: 'Note',
    onlyWide: true,
    cell: ({ note }) => (
      <>
        <Line>{note || '–'}</Line>
        <SecondLine>A second line</SecondLine>
      </>
    ),
  },
  { title: 'Slug', isFit: true, cell: ({ id }) => <CodeLine>{id}</CodeLine> },
  { id: 'deals', title: 'Deals', kind: 'number', sortBy: ({ deals }) => deals, cell: ({ deals }) => deals },
  {
    title: 'Actions',
    kind: 'actions',
    cell: ({ name }) => (
      <ActionIcon aria-label={`Delete ${name}`}>
        <Trash2 size={14} aria-hidden />
      </ActionIcon>
    ),
  },
]

const NOTHING = (
  <EmptyState icon={Inbox} title="No companies">
    Create the first one, or import a file.
  </EmptyState>
)

function Sorted() {
  const [items, setItems] = useState(['Lead', 'Won', 'Lost'])
  const { rows, context, moveBy } = useSorting({
    items,
    idOf: (item) => item,
    nameOf: (item) => item,
    onMove: (from, to) => setItems(moved(items, from, to)),
  })
  return (
    <DndContext {...context}>
      {rows.map((item) => (
        <div key={item} className="row gap-8">
          <MoveHandle id={item} name={item} onMove={(by) => moveBy(item, by)} />
          {item}
        </div>
      ))}
    </DndContext>
  )
}

export function Tables() {
  const [by, onChange] = useState<string>()
  return (
    <Section
      title="Tables"
      description="With rows, while they load, without any, and where they cannot be loaded."
    >
      <DataTable columns={COLUMNS} rows={ROWS} label="Companies" sort={{ by, onChange }} />
      <DataTable
        columns={COLUMNS}
        rows={ROWS.slice(0, 1)}
        label="Rows that open"
        renderRow={(_, cells) => <OpenRow onOpen={() => undefined}>{cells}</OpenRow>}
      />
      <DataTable columns={COLUMNS} rows={ROWS} label="Columns as wide as their content" look={classes.grid} />
      <Sorted />
      <PartPending />
      <DataTable columns={COLUMNS} rows={[]} empty={NOTHING} />
      <ErrorState error={new Error('The connection was lost')} onRetry={() => undefined} />
    </Section>
  )
}
