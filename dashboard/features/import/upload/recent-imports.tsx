// The imports of this object, with actions to continue, view, undo and delete them.
import { ActionIcon, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  ListChecks,
  type LucideIcon,
  Trash2,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import { counted, formatCount } from '../../../../contract/counted.ts'
import type { ImportState } from '../../../../contract/import-states.ts'
import { canImport } from '../../../../contract/import-states.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { Line, TitleLink } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { held } from '../../../ui/held.ts'
import { ColumnTime } from '../../../ui/time.tsx'
import { deleteImport, type ImportSummary, importsKey } from '../api.ts'
import classes from '../page/import.module.css'
import { useImportPage } from '../page/use-import-page.ts'
import { importPaths } from '../paths.ts'
import { UndoImportDialog } from '../run/undo-import.tsx'

const LOOKS: Readonly<Record<ImportState, readonly [LucideIcon, string, string?]>> = {
  uploaded: [CircleDashed, 'Not mapped yet'],
  checking: [CircleDashed, 'Checking', 'accent'],
  checked: [ListChecks, 'Not imported yet'],
  running: [CircleDashed, 'Importing', 'accent'],
  completed: [CircleCheck, 'Completed', 'good'],
  failed: [CircleX, 'Failed', 'danger'],
  cancelled: [CircleSlash, 'Cancelled'],
}
const UNDONE: (typeof LOOKS)[ImportState] = [Undo2, 'Undone']

function ImportStateLabel({ one: { state, undo } }: { one: ImportSummary }) {
  const [Icon, text, tone = 'muted'] = undo === 'undone' ? UNDONE : LOOKS[state]
  return (
    <span className="inline gap-6">
      <Icon className={tone} size={14} aria-hidden />
      {text}
    </span>
  )
}

const HAS_COUNTS = new Set<ImportSummary['state']>(['running', 'completed', 'failed', 'cancelled'])

/** A count of an import that has started; nothing for others. */
const countOf =
  (part: 'created' | 'updated' | 'failed') =>
  ({ state, progress }: ImportSummary) =>
    HAS_COUNTS.has(state) && formatCount(progress[part])

/** Replaces the columns on a phone. Counts of zero are omitted. */
function CountsInWords({ one: { rows, progress } }: { one: ImportSummary }) {
  const done = [
    [progress.created, 'created'],
    [progress.updated, 'updated'],
    [progress.skipped, 'skipped'],
    [progress.failed, 'failed'],
  ] as const
  const parts = done.flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : []))
  return (
    <span className={`${dataTable.narrow} ${dataTable.second}`}>
      {[counted(rows, 'row'), ...parts].join(' · ')}
    </span>
  )
}

function DeleteButton({ one, onDelete }: { one: ImportSummary; onDelete(): void }) {
  const may = canImport('delete', one.state)
  return (
    <Tooltip label={may ? 'Delete from this list; records stay' : 'Cancel it first'}>
      <ActionIcon aria-label={`Delete the import of ${one.fileName}`} {...held(!may, onDelete)}>
        <Trash2 size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function UndoButton({ one, onUndo }: { one: ImportSummary; onUndo(): void }) {
  if (one.undo !== 'possible') return null
  return (
    <Tooltip label="Undo this import">
      <ActionIcon aria-label={`Undo the import of ${one.fileName}`} onClick={onUndo}>
        <Undo2 size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

interface Asking {
  what: 'undo' | 'delete'
  one: ImportSummary
}

function DeleteDialog({ one, onClose }: { one: ImportSummary; onClose(): void }) {
  const { org } = useImportPage()
  const client = useQueryClient()
  const remove = async () => {
    await deleteImport(org, one.id)
    await client.invalidateQueries({ queryKey: [...importsKey(org), 'of'] })
  }
  return (
    <ConfirmDialog title="Delete this import" confirm="Delete import" onConfirm={remove} onClose={onClose}>
      The file {one.fileName} and its failed rows are deleted. Records that were imported from it stay
      {one.undo === 'possible' && ', and the import can no longer be undone'}.
    </ConfirmDialog>
  )
}

function useColumns(onAsk: (asking: Asking) => void): Columns<ImportSummary> {
  const { org, object } = useImportPage()
  const count = { kind: 'number', isFit: true, onlyWide: true } as const
  return [
    {
      title: 'File',
      kind: 'name',
      cell: (one) => (
        <>
          <TitleLink to={importPaths.import(org, object.slug)} search={{ import: one.id }}>
            {one.fileName}
          </TitleLink>
          <CountsInWords one={one} />
        </>
      ),
    },
    { title: 'State', isFit: true, cell: (one) => <ImportStateLabel one={one} /> },
    { title: 'Rows', ...count, cell: ({ rows }) => formatCount(rows) },
    { title: 'Created', ...count, cell: countOf('created') },
    { title: 'Updated', ...count, cell: countOf('updated') },
    { title: 'Failed', ...count, cell: countOf('failed') },
    {
      title: 'By',
      onlyWide: true,
      cellProps: () => ({ style: { width: 132, maxWidth: 132 } }),
      cell: ({ createdBy }) => <Line>{createdBy.name}</Line>,
    },
    {
      title: 'Uploaded',
      isFit: true,
      onlyWide: true,
      cell: ({ createdAt }) => <ColumnTime value={createdAt} />,
    },
    {
      title: 'Undo or delete',
      kind: 'actions',
      cell: (one) => (
        <span className="inline gap-4">
          <UndoButton one={one} onUndo={() => onAsk({ what: 'undo', one })} />
          <DeleteButton one={one} onDelete={() => onAsk({ what: 'delete', one })} />
        </span>
      ),
    },
  ]
}

/** Renders nothing without imports. */
export function RecentImports({ imports }: { imports: readonly ImportSummary[] }) {
  const [asking, setAsking] = useState<Asking>()
  const columns = useColumns(setAsking)
  const close = () => setAsking(undefined)
  if (imports.length === 0) return null
  return (
    <>
      <section className={classes.recent} aria-label="Recent imports">
        <h3>Recent imports</h3>
        <DataTable columns={columns} rows={imports} />
      </section>
      {asking?.what === 'delete' && <DeleteDialog one={asking.one} onClose={close} />}
      {asking?.what === 'undo' && <UndoImportDialog file={asking.one} onClose={close} />}
    </>
  )
}
