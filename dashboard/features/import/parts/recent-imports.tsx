// The imports of this object: to go on with, to look at, to undo, to delete.
import { ActionIcon, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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
import dataTable from '../../../ui/data-table/data-table.module.css'
import { ColumnMoment } from '../../../ui/time.tsx'
import { deleteImport, type ImportSummary, importsKey } from '../api.ts'
import { importPaths } from '../paths.ts'
import classes from './import.module.css'
import { UndoImportDialog } from './undo-import.tsx'
import { useImportPage } from './use-import-page.ts'

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

function Counts({ one: { state, rows, progress } }: { one: ImportSummary }) {
  const done = [progress.created, progress.updated, progress.failed]
  return [rows, ...done].map((count, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: four counts in a fixed order
    <td key={at} className={`${dataTable.wide} ${dataTable.fit}`} data-numeric>
      {(at === 0 || HAS_COUNTS.has(state)) && formatCount(count)}
    </td>
  ))
}

/** On a phone, in place of the columns: what there is none of is left out. */
function CountsInWords({ one: { rows, progress } }: { one: ImportSummary }) {
  const done = [
    [progress.created, 'created'],
    [progress.updated, 'updated'],
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
  const label = `Delete the import of ${one.fileName}`
  return (
    <Tooltip label={may ? 'Delete from this list; records stay' : 'Cancel it first'}>
      <ActionIcon
        aria-label={label}
        data-disabled={!may || undefined}
        aria-disabled={!may}
        onClick={() => may && onDelete()}
      >
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

function Row({ one, onAsk }: { one: ImportSummary; onAsk(asking: Asking): void }) {
  const { org, object } = useImportPage()
  return (
    <tr>
      <th scope="row">
        <Link
          to={importPaths.import(org, object.slug)}
          search={{ import: one.id } as never}
          className={`${dataTable.titleLink} ${dataTable.cut}`}
          title={one.fileName}
        >
          {one.fileName}
        </Link>
        <CountsInWords one={one} />
      </th>
      <td className={dataTable.fit}>
        <ImportStateLabel one={one} />
      </td>
      <Counts one={one} />
      <td className={dataTable.wide} style={{ width: 132 }}>
        <span className={dataTable.cut} title={one.createdBy.name}>
          {one.createdBy.name}
        </span>
      </td>
      <td className={`${dataTable.wide} ${dataTable.fit}`}>
        <ColumnMoment value={one.createdAt} />
      </td>
      <td className={dataTable.rowAction}>
        <span className="inline gap-4">
          <UndoButton one={one} onUndo={() => onAsk({ what: 'undo', one })} />
          <DeleteButton one={one} onDelete={() => onAsk({ what: 'delete', one })} />
        </span>
      </td>
    </tr>
  )
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

const HEADS = ['Rows', 'Created', 'Updated', 'Failed']

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">File</th>
        <th scope="col">State</th>
        {HEADS.map((head) => (
          <th key={head} scope="col" className={dataTable.wide} data-numeric>
            {head}
          </th>
        ))}
        <th scope="col" className={dataTable.wide}>
          By
        </th>
        <th scope="col" className={dataTable.wide}>
          Uploaded
        </th>
        <th scope="col">
          <span className="visually-hidden">Undo or delete</span>
        </th>
      </tr>
    </thead>
  )
}

/** Nothing when there are none: the page begins with the file either way. */
export function RecentImports({ imports }: { imports: readonly ImportSummary[] }) {
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  if (imports.length === 0) return null
  return (
    <>
      <section className={classes.recent} aria-label="Recent imports">
        <h3>Recent imports</h3>
        <table className={dataTable.table}>
          <Head />
          <tbody>
            {imports.map((one) => (
              <Row key={one.id} one={one} onAsk={setAsking} />
            ))}
          </tbody>
        </table>
      </section>
      {asking?.what === 'delete' && <DeleteDialog one={asking.one} onClose={close} />}
      {asking?.what === 'undo' && <UndoImportDialog file={asking.one} onClose={close} />}
    </>
  )
}
