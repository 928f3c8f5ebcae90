// The undo jobs: progress, results and conflicts.
import { Button, Group, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleSlash, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { counted, countedAll, formatCount } from '../../../../contract/counted.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { type StateWords, ToneChip } from '../../../ui/tone-chip.tsx'
import { cancelUndo, isOpen, type UndoJob, undoJobsKey } from '../api/undo-jobs.ts'
import { labelOf } from './set-kinds.ts'
import { UndoConflictsDialog } from './undo-conflicts.tsx'

const STATES: Readonly<Record<UndoJob['status'], StateWords>> = {
  queued: { word: 'Waiting', tone: 'info', icon: LoaderCircle },
  running: { word: 'Undoing', tone: 'info', icon: LoaderCircle },
  completed: { word: 'Undone', tone: 'good', icon: CircleCheck },
  cancelled: { word: 'Cancelled', tone: 'muted', icon: CircleSlash },
  failed: { word: 'Failed', tone: 'danger', icon: CircleAlert },
}

function State({ job }: { job: UndoJob }) {
  const { done, total } = job
  return (
    <>
      <ToneChip {...STATES[job.status]} />
      {isOpen(job) && (
        <Progress
          mt={6}
          value={(done / Math.max(1, total)) * 100}
          aria-label={`${formatCount(done)} of ${counted(total, 'change')}`}
        />
      )}
    </>
  )
}

const resultOf = ({ restored, trashed, returned, error }: UndoJob): string =>
  error ??
  countedAll([
    [restored, 'change taken back', 'changes taken back'],
    [
      trashed,
      'record, activity, comment or file to the trash',
      'records, activities, comments or files to the trash',
    ],
    [
      returned,
      'record, activity, comment or file from the trash',
      'records, activities, comments or files from the trash',
    ],
  ]) ??
  'Nothing yet'

function Name({ job }: { job: UndoJob }) {
  return (
    <>
      <Line>
        {labelOf(job.kind)}: {counted(job.total, 'change')}
      </Line>
      <SecondLine title={resultOf(job)}>{resultOf(job)}</SecondLine>
      <SecondLine>
        <ColumnTime value={job.createdAt} />
        {job.createdBy?.name && ` by ${job.createdBy.name}`}
      </SecondLine>
    </>
  )
}

function Actions({ job, onShow }: { job: UndoJob; onShow(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const cancel = async () => {
    await cancelUndo(org, job.id).catch(toastError)
    await client.invalidateQueries({ queryKey: undoJobsKey(org) })
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {job.conflictCount > 0 && (
        <Button variant="default" onClick={onShow}>
          {formatCount(job.conflictCount)} not undone
        </Button>
      )}
      {isOpen(job) && (
        <Button variant="default" onClick={() => void cancel()}>
          Cancel
        </Button>
      )}
    </Group>
  )
}

export function UndoJobTable({ jobs }: { jobs: readonly UndoJob[] }) {
  const [shown, setShown] = useState<UndoJob>()
  const columns: Columns<UndoJob> = [
    { title: 'Changes', kind: 'name', cell: (job) => <Name job={job} /> },
    { title: 'State', isFit: true, cell: (job) => <State job={job} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (job) => <Actions job={job} onShow={() => setShown(job)} />,
    },
  ]
  return (
    <>
      <DataTable label="Undone changes" columns={columns} rows={jobs} />
      {shown && <UndoConflictsDialog job={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
