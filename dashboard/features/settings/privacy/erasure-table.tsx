// The log of erasures, one per row. It contains no erased values.
import { Progress } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileArchive, LoaderCircle, ShieldCheck } from 'lucide-react'
import { counted, countedAll, formatCount } from '../../../../contract/counted.ts'
import type { PrivacyRequest } from '../../../../contract/privacy.ts'
import { EmptyState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { CodeLine, Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { type StateWords, ToneChip } from '../../../ui/tone-chip.tsx'
import { allObjectsQuery } from '../api/object-administration.ts'

const STATES: Readonly<Record<PrivacyRequest['state'], StateWords>> = {
  running: { word: 'Running', tone: 'info', icon: LoaderCircle },
  completed: { word: 'Erased', tone: 'good', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'danger', icon: CircleAlert },
}

const DOWNLOADED = { word: 'Archive', tone: 'muted', icon: FileArchive } as const

const WAITS: Readonly<Record<string, string>> = {
  imports: 'Waits for an import that contains it',
  deliveries: 'Waits for a webhook that is being sent',
}

const removed = ({ kind, counts }: PrivacyRequest): string =>
  countedAll([
    [counts.records, 'record'],
    [counts.activities, 'activity', 'activities'],
    [counts.comments, 'comment'],
    [counts.files, 'file'],
    [counts.events, 'event'],
    [counts.runs, 'workflow run'],
    [counts.deliveries, 'delivery', 'deliveries'],
    [counts.imports, 'import'],
    [counts.reportRuns, 'report result'],
    [counts.answers, 'saved response'],
  ]) ?? (kind === 'archive' ? 'Nothing: it was downloaded' : 'Nothing yet')

function State({ request }: { request: PrivacyRequest }) {
  const { done, total } = request.progress
  return (
    <>
      <ToneChip {...(request.kind === 'archive' ? DOWNLOADED : STATES[request.state])} />
      {request.state === 'running' && (
        <Progress
          mt={6}
          value={(done / Math.max(1, total)) * 100}
          aria-label={`${formatCount(done)} of ${counted(total, 'step')}`}
        />
      )}
    </>
  )
}

const summaryOf = (request: PrivacyRequest) =>
  request.problem ?? (request.waitsFor && WAITS[request.waitsFor]) ?? removed(request)

function Erased({ request, object }: { request: PrivacyRequest; object: string }) {
  const { recordIds, createdAt, createdBy } = request
  return (
    <>
      <Line>{object}</Line>
      <CodeLine title={recordIds.join(', ')}>
        {recordIds[0]}
        {recordIds.length > 1 && ` and ${counted(recordIds.length - 1, 'other')}`}
      </CodeLine>
      <SecondLine>
        <ColumnTime value={createdAt} />
        {createdBy && ` by ${createdBy.name}`}
      </SecondLine>
      <span className={`${classes.narrow} muted tiny`}>{summaryOf(request)}</span>
    </>
  )
}

const NOTHING = (
  <EmptyState icon={ShieldCheck} title="No erasures yet">
    Choose “Erase…” in the menu of a record to remove every copy of it.
  </EmptyState>
)

export function ErasureTable({ requests }: { requests: readonly PrivacyRequest[] }) {
  const { data: objects } = useSuspenseQuery(allObjectsQuery(useOrg()))
  const nameOf = (id: string) => objects.find((one) => one.id === id)?.singularName ?? 'A deleted object'
  const columns: Columns<PrivacyRequest> = [
    {
      title: 'Record',
      kind: 'name',
      cell: (request) => <Erased request={request} object={nameOf(request.objectId)} />,
    },
    { title: 'Removed', onlyWide: true, cell: summaryOf },
    { title: 'State', isFit: true, cell: (request) => <State request={request} /> },
  ]
  return <DataTable label="Erasures" columns={columns} rows={requests} empty={NOTHING} />
}
