// An attempt's time as a bar; the words under it say the same in numbers.
import type { CSSProperties } from 'react'
import type { DeliveryAttempt } from '../../api/webhooks.ts'
import { formatDuration } from '../../delivery-words.ts'
import classes from './exchange.module.css'
import { type Phase, phasesOf } from './timings.ts'

type Timings = DeliveryAttempt['timings']

function Time({ name, ms, phase }: Phase & { phase?: string }) {
  return (
    <div>
      <dt data-phase={phase}>{name}</dt>
      <dd>{formatDuration(ms)}</dd>
    </div>
  )
}

function Times({ phases, timings }: { phases: readonly Phase[]; timings: Timings }) {
  const { firstByteMs, totalMs } = timings
  return (
    <dl className={classes.phases}>
      {phases.map((phase) => (
        <Time key={phase.name} {...phase} phase={phase.name} />
      ))}
      {firstByteMs !== null && <Time name="First byte" ms={firstByteMs} />}
      <Time name="Total" ms={totalMs} />
    </dl>
  )
}

export function TimingBar({ timings }: { timings: Timings }) {
  const phases = phasesOf(timings)
  return (
    <div className={classes.timing}>
      <div className={classes.bar} aria-hidden>
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: ms } satisfies CSSProperties} />
        ))}
      </div>
      <Times phases={phases} timings={timings} />
    </div>
  )
}
