// The attempts of a delivery, newest first. The selected one is shown below.
import { Button, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import type { DeliveryAttempt } from '../api/webhooks.ts'
import { formatClock, formatDay, formatDuration, outcomeText, TRIGGER_WORDS } from '../delivery-words.ts'

interface AttemptListProps {
  attempts: readonly DeliveryAttempt[]
  /** Number of the shown attempt. */
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
      <UnstyledButton
        className="row wide gap-12 small tabular nowrap hoverable"
        px={12}
        h={32}
        aria-current={isShown}
        onClick={onShow}
      >
        <span className="medium">Attempt {attempt.attempt}</span>
        <span className={failure === null ? undefined : 'danger'}>
          {outcomeText(response?.status ?? null, failure)}
        </span>
        <span className="muted">{formatDuration(timings.totalMs)}</span>
        {trigger !== 'event' && <span className="muted">{TRIGGER_WORDS[trigger]}</span>}
        <Text component="time" truncate c="dimmed" ta="right" flex={1} dateTime={startedAt}>
          {formatDay(startedAt)}, {formatClock(startedAt)}
        </Text>
      </UnstyledButton>
    </li>
  )
}

export function AttemptList({ attempts, shown, onShow }: AttemptListProps) {
  const [isWhole, setWhole] = useState(false)
  const listed = isWhole ? attempts : attempts.filter((one, at) => at < AT_FIRST || one.attempt === shown)
  return (
    <section aria-label="Attempts">
      <ol className="bordered rounded divided">
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
          Show all {counted(attempts.length, 'attempt')}
        </Button>
      )}
    </section>
  )
}
