// The facts of a delivery: event, state and next attempt.
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Fact } from '../../../ui/fact.tsx'
import { useTicking } from '../../../ui/use-ticking.ts'
import type { DeliveryDetail } from '../api/webhooks.ts'
import { formatExact } from '../delivery-words.ts'
import { formatAhead } from './ahead.ts'

function Id({ value, label }: { value: string; label: string }) {
  return (
    <span className="row gap-4">
      <code className="truncate tiny mono">{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  )
}

function Ahead({ timestamp }: { timestamp: string }) {
  const ahead = useTicking((now) => formatAhead(timestamp, now))
  return (
    <time dateTime={timestamp}>
      {ahead} <span className="muted">({formatExact(timestamp)})</span>
    </time>
  )
}

export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { id, eventId, createdAt, state, nextAttemptAt, giveUpAt } = delivery
  return (
    <dl className="facts">
      <Fact name="Event">
        <Id value={eventId} label="Copy event ID" />
      </Fact>
      <Fact name="Delivery">
        <Id value={id} label="Copy delivery ID" />
      </Fact>
      <Fact name="Created">{formatExact(createdAt)}</Fact>
      {state === 'pending' && nextAttemptAt !== null && (
        <>
          <Fact name="Next attempt">
            <Ahead timestamp={nextAttemptAt} />
          </Fact>
          <Fact name="Gives up">
            <Ahead timestamp={giveUpAt} />
          </Fact>
        </>
      )}
    </dl>
  )
}
