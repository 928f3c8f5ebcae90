// Every attempt of a delivery, newest first; one of them is shown below.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { DeliveryAttempt } from '../../api/webhooks.ts'
import { formatClock, formatDay, formatDuration, outcomeText, TRIGGER_WORDS } from '../../delivery-words.ts'
import classes from './delivery.module.css'

interface AttemptListProps {
  attempts: readonly DeliveryAttempt[]
  /** Its number. */
  shown: number
  onShow(attempt: number): void
}

const AT_FIRST = 5

function Attempt({
  attempt,
  isShown,
  onShow,
}: {
  attempt: DeliveryAttempt
  isShown: boolean
  onShow(): void
}) {
  const { startedAt, trigger, response, failure, timings } = attempt
  return (
    <li>
      <button type="button" className={classes.attempt} aria-current={isShown} onClick={onShow}>
        <span className="medium">Attempt {attempt.attempt}</span>
        <span className={classes.outcome} data-bad={failure !== null || undefined}>
          {outcomeText(response?.status ?? null, failure)}
        </span>
        <span className="muted">{formatDuration(timings.totalMs)}</span>
        {trigger !== 'event' && <span className="muted">{TRIGGER_WORDS[trigger]}</span>}
        <time className={classes.at} dateTime={startedAt}>
          {formatDay(startedAt)}, {formatClock(startedAt)}
        </time>
      </button>
    </li>
  )
}

export function AttemptList({ attempts, shown, onShow }: AttemptListProps) {
  const [isWhole, setWhole] = useState(false)
  const listed = isWhole ? attempts : attempts.filter((one, at) => at < AT_FIRST || one.attempt === shown)
  return (
    <section aria-label="Attempts">
      <ol className={classes.attempts}>
        {listed.map((one) => (
          <Attempt
            key={one.attempt}
            attempt={one}
            isShown={one.attempt === shown}
            onShow={() => onShow(one.attempt)}
          />
        ))}
      </ol>
      {listed.length < attempts.length && (
        <Button variant="subtle" color="gray" size="compact-xs" mt={4} onClick={() => setWhole(true)}>
          Show all {attempts.length} attempts
        </Button>
      )}
    </section>
  )
}
