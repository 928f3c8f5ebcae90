// The duration of an attempt as a bar. The text below it has the numbers.
import { Box } from '@mantine/core'
import type { DeliveryAttempt } from '../api/webhooks.ts'
import { formatDuration } from '../delivery-words.ts'
import { type Phase, phasesOf } from './timings.ts'

type Timings = DeliveryAttempt['timings']

const NAMES = ['DNS', 'Connect', 'TLS', 'Waiting', 'Reading']
const colorOf = (phase: string) => `var(--phase-${NAMES.indexOf(phase)})`

function Time({ name, ms, color }: Phase & { color?: string }) {
  return (
    <div className="flex gap-4">
      <dt className="row gap-4 muted">
        {color && <Box component="span" w={8} h={8} bdrs={2} bg={color} />}
        {name}
      </dt>
      <dd>{formatDuration(ms)}</dd>
    </div>
  )
}

function Times({ phases, timings }: { phases: readonly Phase[]; timings: Timings }) {
  const { firstByteMs, totalMs } = timings
  return (
    <dl className="flex wrap tiny tabular" style={{ gap: '4px 12px' }}>
      {phases.map((phase) => (
        <Time key={phase.name} {...phase} color={colorOf(phase.name)} />
      ))}
      {firstByteMs !== null && <Time name="First byte" ms={firstByteMs} />}
      <Time name="Total" ms={totalMs} />
    </dl>
  )
}

export function TimingBar({ timings }: { timings: Timings }) {
  const phases = phasesOf(timings)
  return (
    <div className="stack gap-8">
      <Box display="flex" h={8} bdrs="sm" style={{ gap: 1, overflow: 'hidden' }} aria-hidden>
        {phases.map(({ name, ms }) => (
          <Box key={name} miw={2} bg={colorOf(name)} style={{ flexGrow: ms }} />
        ))}
      </Box>
      <Times phases={phases} timings={timings} />
    </div>
  )
}
