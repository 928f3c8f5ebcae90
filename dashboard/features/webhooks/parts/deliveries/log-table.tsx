// The log itself: one line for each delivery.
import { Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import dataTable from '../../../../ui/data-table/data-table.module.css'
import type { Delivery } from '../../api/webhooks.ts'
import {
  formatClock,
  formatDay,
  formatDuration,
  formatExact,
  outcomeText,
  TRIGGER_WORDS,
} from '../../delivery-words.ts'
import classes from './delivery.module.css'
import { StateChip } from './state-chip.tsx'

/** Beside a delivery, and on a phone, a line says when, what and how it went. */
const MORE = `${dataTable.fit} ${dataTable.wide}`

interface LogTableProps {
  deliveries: readonly Delivery[]
  /** The delivery that is open. */
  open: string | undefined
  onOpen(id: string): void
}

interface RowProps {
  delivery: Delivery
  isOpen: boolean
  onOpen(id: string): void
}

function Time({ moment }: { moment: string }) {
  return (
    <Tooltip label={formatExact(moment)}>
      <time dateTime={moment}>
        <span className={dataTable.wide}>{formatDay(moment)}, </span>
        {formatClock(moment)}
      </time>
    </Tooltip>
  )
}

/** Nothing stands for a delivery that had no attempt yet. */
function Outcome({ delivery }: { delivery: Delivery }) {
  const { lastStatus, lastFailure, lastDurationMs, attempts } = delivery
  return (
    <>
      <td className={`${MORE} ${lastFailure === null ? '' : 'danger'}`}>
        {outcomeText(lastStatus, lastFailure)}
      </td>
      <td className={MORE} data-numeric>
        {lastDurationMs === null ? '' : formatDuration(lastDurationMs)}
      </td>
      <td className={MORE} data-numeric>
        {attempts > 0 ? attempts : ''}
      </td>
    </>
  )
}

function Row({ delivery, isOpen, onOpen }: RowProps) {
  const { id, eventType, createdAt, state, trigger } = delivery
  const open = ({ target, metaKey, ctrlKey }: MouseEvent) => {
    // The link does it itself, also into a new tab.
    if (!(target as Element).closest('a') && !metaKey && !ctrlKey) onOpen(id)
  }
  return (
    // The link in the row is what the keyboard opens.
    <tr className="hoverable" onClick={open} data-current={isOpen || undefined}>
      <td className={`${dataTable.fit} muted`}>
        <Time moment={createdAt} />
      </td>
      <th scope="row" className="truncate">
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
      </th>
      <Outcome delivery={delivery} />
      <td className={dataTable.fit}>
        <StateChip state={state} />
      </td>
    </tr>
  )
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Event</th>
        <th scope="col" className={MORE}>
          Response
        </th>
        <th scope="col" className={MORE} data-numeric>
          Duration
        </th>
        <th scope="col" className={MORE} data-numeric>
          Attempts
        </th>
        <th scope="col" className={dataTable.fit}>
          State
        </th>
      </tr>
    </thead>
  )
}

export function LogTable({ deliveries, open, onOpen }: LogTableProps) {
  return (
    <table className={`${dataTable.table} ${classes.log}`}>
      <caption className="visually-hidden">Deliveries, newest first</caption>
      <Head />
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} isOpen={delivery.id === open} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  )
}
