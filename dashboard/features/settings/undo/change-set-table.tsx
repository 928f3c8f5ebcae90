// The change sets of the last day, one per row with Undo.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { counted, formatCount } from '../../../../contract/counted.ts'
import { Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import type { ChangeSet } from '../api/undo-jobs.ts'
import { nameOf, SET_KINDS } from './set-kinds.ts'
import { UndoSetDialog } from './undo-set-dialog.tsx'

/** An API key can have several change sets, and so several rows. */
interface SetRow {
  id: string
  set: ChangeSet
}

function Name({ set }: { set: ChangeSet }) {
  const { label, icon: Icon } = SET_KINDS[set.kind]
  return (
    <>
      <Line>{nameOf(set)}</Line>
      <SecondLine>
        <span className="inline gap-6">
          <Icon size={14} aria-hidden />
          {label} · <ColumnTime value={set.to} />
        </span>
      </SecondLine>
      <span className={`${classes.narrow} ${classes.second}`}>{counted(set.changes, 'change')}</span>
    </>
  )
}

export function ChangeSetTable({ sets }: { sets: readonly ChangeSet[] }) {
  const [asked, setAsked] = useState<ChangeSet>()
  const rows = sets.map((set): SetRow => ({ id: `${set.kind} ${set.id} ${set.from}`, set }))
  const columns: Columns<SetRow> = [
    { title: 'Made by', kind: 'name', cell: ({ set }) => <Name set={set} /> },
    { title: 'Changes', kind: 'number', onlyWide: true, cell: ({ set }) => formatCount(set.changes) },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ set }) => (
        <Button variant="default" onClick={() => setAsked(set)} aria-label={`Undo ${nameOf(set)}`}>
          Undo
        </Button>
      ),
    },
  ]
  return (
    <>
      <DataTable label="Changes of the last day" columns={columns} rows={rows} />
      {asked && <UndoSetDialog set={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
