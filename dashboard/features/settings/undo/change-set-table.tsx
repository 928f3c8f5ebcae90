// The change sets of the last day, one per row with Undo.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, formatCount } from '../../../../contract/counted.ts'
import { listFormat } from '../../../../contract/language.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { type ChangeSet, sourceOf, type UndoSource } from '../api/undo-jobs.ts'
import { authorOf, nameOf, wordsOf } from './set-kinds.ts'
import { UndoSetDialog } from './undo-set-dialog.tsx'

/** An API key can have several change sets, and so several rows. */
interface SetRow {
  id: string
  set: ChangeSet
}

/** The names of the objects and who made the changes: "Companies and People · by Ada Lovelace". */
function useFacts(set: ChangeSet): string {
  const { data: objects = [] } = useQuery(objectsQuery(useOrg()))
  const names = set.objectIds.flatMap((id) => objects.find((one) => one.id === id)?.pluralName ?? [])
  return [names.length > 0 && listFormat().format(names), authorOf(set)].filter(Boolean).join(' · ')
}

function Name({ set }: { set: ChangeSet }) {
  const { label, icon: Icon } = wordsOf(set)
  const facts = useFacts(set)
  return (
    <>
      <Line>{nameOf(set)}</Line>
      <SecondLine>
        <span className="inline gap-6">
          <Icon size={14} aria-hidden />
          {label} · <ColumnTime value={set.to} />
        </span>
      </SecondLine>
      {facts !== '' && <SecondLine title={facts}>{facts}</SecondLine>}
      <span className={`${classes.narrow} ${classes.second}`}>{counted(set.changes, 'change')}</span>
    </>
  )
}

export function ChangeSetTable({ sets }: { sets: readonly ChangeSet[] }) {
  const [asked, setAsked] = useState<UndoSource>()
  const rows = sets.map((set): SetRow => ({ id: `${set.kind} ${set.id} ${set.from}`, set }))
  const columns: Columns<SetRow> = [
    { title: 'Made by', kind: 'name', cell: ({ set }) => <Name set={set} /> },
    { title: 'Changes', kind: 'number', onlyWide: true, cell: ({ set }) => formatCount(set.changes) },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ set }) => (
        <Button
          variant="default"
          onClick={() => setAsked(sourceOf(set, nameOf(set)))}
          aria-label={`Undo ${nameOf(set)}`}
        >
          Undo
        </Button>
      ),
    },
  ]
  return (
    <>
      <DataTable label="Changes of the last day" columns={columns} rows={rows} />
      {asked && <UndoSetDialog source={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
