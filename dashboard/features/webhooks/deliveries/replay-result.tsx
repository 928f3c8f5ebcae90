// A button that replays a delivery, and the result next to it.
import { Button, Loader, Tooltip } from '@mantine/core'
import { CircleCheck, CircleX, RotateCw } from 'lucide-react'
import { messageOf } from '../../../shared/api/errors.ts'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import type { DeliveryAttempt } from '../api/webhooks.ts'
import { formatDuration, outcomeText } from '../delivery-words.ts'

interface ReplayResultProps {
  /** Number of the awaited attempt; undefined: no replay was requested. */
  awaited: number | undefined
  /** The awaited attempt, when it is loaded. */
  attempt: DeliveryAttempt | undefined
  error: unknown
}

function Came({ attempt: { failure, response, timings } }: { attempt: DeliveryAttempt }) {
  const Icon = failure === null ? CircleCheck : CircleX
  return (
    <span className={`inline gap-6 small ${failure === null ? '' : 'danger'}`}>
      <Icon size={14} aria-hidden />
      {failure === null ? 'Delivered' : 'Failed again'}: {outcomeText(response?.status ?? null, failure)} in{' '}
      {formatDuration(timings.totalMs)}
    </span>
  )
}

function Awaiting() {
  return (
    <span className="inline gap-6 small">
      <Loader size={12} color="gray" aria-hidden />
      Waiting for the response
    </span>
  )
}

function Refused({ error }: { error: unknown }) {
  return <span className="danger small">{messageOf(error)}</span>
}

export function ReplayResult({ awaited, attempt, error }: ReplayResultProps) {
  return (
    <span role="status">
      {error !== undefined && <Refused error={error} />}
      {error === undefined && awaited !== undefined && (attempt ? <Came attempt={attempt} /> : <Awaiting />)}
    </span>
  )
}

export function ReplayButton({ onReplay, isBusy }: { onReplay(): void; isBusy: boolean }) {
  useShortcuts([['r', onReplay]])
  return (
    <Tooltip label="Send it again (R)">
      <Button
        variant="default"
        loading={isBusy}
        onClick={onReplay}
        leftSection={<RotateCw size={14} aria-hidden />}
      >
        Replay
      </Button>
    </Tooltip>
  )
}
