// An attempt's time as a bar; the words under it say the same in numbers.
import type { CSSProperties } from 'react'
import type { DeliveryAttempt } from '../../../api/webhooks.ts'
import classes from './exchange.module.css'
import { phasesOf } from './timings.ts'
import { formatDuration } from './words.ts'

export function TimingBar({ timings }: { timings: DeliveryAttempt['timings'] }) {
  const phases = phasesOf(timings)
  return (
    <div className={classes.timing}>
      <div className={classes.bar} aria-hidden>
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: ms } satisfies CSSProperties} />
        ))}
      </div>
      <dl className={classes.phases}>
        {phases.map(({ name, ms }) => (
          <div key={name}>
            <dt data-phase={name}>{name}</dt>
            <dd>{formatDuration(ms)}</dd>
          </div>
        ))}
        <div>
          <dt>Total</dt>
          <dd>{formatDuration(timings.totalMs)}</dd>
        </div>
      </dl>
    </div>
  )
}
