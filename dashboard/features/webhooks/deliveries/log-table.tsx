// The table of the log: one line for each delivery.
import { Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { OpenRow } from '../../../ui/data-table/open-row.tsx'
import type { Delivery } from '../api/webhooks.ts'
import {
  formatClock,
  formatDay,
  formatDuration,
  formatExact,
  outcomeText,
  TRIGGER_WORDS,
} from '../delivery-words.ts'
import classes from './delivery.module.css'
import { StateChip } from './state-chip.tsx'

interface LogTableProps {
  deliveries: readonly Delivery[]
  /** Id of the open delivery. */
  open: string | undefined
  onOpen(id: string): void
}

function Time({ timestamp }: { timestamp: string }) {
  return (
    <Tooltip label={formatExact(timestamp)}>
      <time dateTime={timestamp}>
        <span className={dataTable.wide}>{formatDay(timestamp)}, </span>
        {formatClock(timestamp)}
      </time>
    </Tooltip>
  )
}

function Event({ delivery, isOpen }: { delivery: Delivery; isOpen: boolean }) {
  const { id, eventType, trigger } = delivery
  return (
    <>
      <Link
        to="."
        search={((before: object) => ({ ...before, delivery: id })) as never}
        resetScroll={false}
        replace={isOpen}
        className="tiny mono underlined"
        aria-current={isOpen || undefined}
        data-delivery={id}
      >
        {eventType}
      </Link>
      {trigger !== 'event' && (
        <Text span size="xs" c="dimmed" ml={8} className={dataTable.wide}>
          {TRIGGER_WORDS[trigger]}
        </Text>
      )}
    </>
  )
}

/** Empty before the first attempt. The column is hidden on a phone, and while a delivery is open. */
const OUTCOME: Columns<Delivery> = [
  {
    title: 'Response',
    isFit: true,
    onlyWide: true,
    cell: ({ lastStatus, lastFailure }) => (
      <span className={lastFailure === null ? undefined : 'danger'}>
        {outcomeText(lastStatus, lastFailure)}
      </span>
    ),
  },
  {
    title: 'Duration',
    kind: 'number',
    isFit: true,
    onlyWide: true,
    cell: ({ lastDurationMs }) => (lastDurationMs === null ? '' : formatDuration(lastDurationMs)),
  },
  {
    title: 'Attempts',
    kind: 'number',
    isFit: true,
    onlyWide: true,
    cell: ({ attempts }) => (attempts > 0 ? attempts : ''),
  },
]

export function LogTable({ deliveries, open, onOpen }: LogTableProps) {
  const columns: Columns<Delivery> = [
    {
      title: 'Time',
      isFit: true,
      className: 'muted',
      cell: ({ createdAt }) => <Time timestamp={createdAt} />,
    },
    {
      title: 'Event',
      kind: 'name',
      className: 'truncate',
      cell: (delivery) => <Event delivery={delivery} isOpen={delivery.id === open} />,
    },
    ...OUTCOME,
    { title: 'State', isFit: true, cell: ({ state }) => <StateChip state={state} /> },
  ]
  return (
    <DataTable
      label="Deliveries, newest first"
      className={classes.log}
      columns={columns}
      rows={deliveries}
      renderRow={({ id }, cells) => (
        <OpenRow onOpen={() => onOpen(id)} data-current={id === open || undefined}>
          {cells}
        </OpenRow>
      )}
    />
  )
}
