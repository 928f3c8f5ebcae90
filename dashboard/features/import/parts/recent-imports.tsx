// The imports of this object: to go on with, to look at, to undo, to delete.
import { ActionIcon, Anchor, Table, Tooltip } from '@mantine/core'
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
import { formatCount } from '../../../../contract/counted.ts'
import type { ImportState } from '../../../../contract/import-states.ts'
import { canImport } from '../../../../contract/import-states.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { ColumnMoment } from '../../../ui/time.tsx'
import { deleteImport, type ImportSummary, importsKey } from '../api.ts'
import { importPaths } from '../paths.ts'
import classes from './import.module.css'
import { StepTable } from './step-list.tsx'
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

function Counts({ one: { state, progress } }: { one: ImportSummary }) {
  return [progress.created, progress.updated, progress.failed].map((count, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: three counts in a fixed order
    <Table.Td key={at} data-numeric>
      {HAS_COUNTS.has(state) && formatCount(count)}
    </Table.Td>
  ))
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
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          to={importPaths.import(org, object.slug)}
          search={{ import: one.id } as never}
          title={one.fileName}
        >
          {one.fileName}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <ImportStateLabel one={one} />
      </Table.Td>
      <Table.Td data-numeric>{formatCount(one.rows)}</Table.Td>
      <Counts one={one} />
      <Table.Td>{one.createdBy.name}</Table.Td>
      <Table.Td>
        <ColumnMoment value={one.createdAt} />
      </Table.Td>
      <Table.Td data-numeric>
        <span className="inline gap-4">
          <UndoButton one={one} onUndo={() => onAsk({ what: 'undo', one })} />
          <DeleteButton one={one} onDelete={() => onAsk({ what: 'delete', one })} />
        </span>
      </Table.Td>
    </Table.Tr>
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
    <Table.Thead>
      <Table.Tr className="muted">
        <Table.Th>File</Table.Th>
        <Table.Th>State</Table.Th>
        {HEADS.map((head) => (
          <Table.Th key={head} data-numeric>
            {head}
          </Table.Th>
        ))}
        <Table.Th>By</Table.Th>
        <Table.Th>Uploaded</Table.Th>
        <Table.Th>
          <span className="visually-hidden">Undo or delete</span>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

/** Nothing when there are none: the page begins with the file either way. */
export function RecentImports({ imports }: { imports: readonly ImportSummary[] }) {
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  if (imports.length === 0) return null
  return (
    <>
      <StepTable title="Recent imports">
        <Table className={classes.table} highlightOnHover>
          <Head />
          <Table.Tbody>
            {imports.map((one) => (
              <Row key={one.id} one={one} onAsk={setAsking} />
            ))}
          </Table.Tbody>
        </Table>
      </StepTable>
      {asking?.what === 'delete' && <DeleteDialog one={asking.one} onClose={close} />}
      {asking?.what === 'undo' && <UndoImportDialog file={asking.one} onClose={close} />}
    </>
  )
}
