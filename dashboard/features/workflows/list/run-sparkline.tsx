// A chart of the last 20 runs, the newest at the right. Failed runs are below the line, open runs are hollow.
import type { RunStatus } from '../../../../contract/workflow-states.ts'
import type { WorkflowFigures } from '../api/workflows.ts'
import { barsPhrase, runBars } from './run-bars.ts'

/** Colors of ended runs. */
const FILLS: Partial<Record<RunStatus, string>> = {
  completed: 'var(--good-border)',
  failed: 'var(--danger-mark)',
  cancelled: 'var(--border-strong)',
}

const SLOTS = 20
const SLOT = 6
const UP = 16
const DOWN = 10

export function RunSparkline({ runs }: { runs: WorkflowFigures['runs'] }) {
  const bars = runBars(runs)
  const first = SLOTS - bars.length
  return (
    <svg
      className="fixed"
      overflow="visible"
      width={SLOTS * SLOT}
      height={UP + DOWN}
      role="img"
      aria-label={barsPhrase(runs)}
    >
      <line stroke="var(--border)" shapeRendering="crispEdges" x1={0} x2={SLOTS * SLOT} y1={UP} y2={UP} />
      {bars.map(({ id, status, size, title }, index) => {
        const isDown = status === 'failed'
        const height = Math.round(size * (isDown ? DOWN : UP - 1))
        return (
          <rect
            key={id}
            fill={FILLS[status] ?? 'var(--surface)'}
            stroke={FILLS[status] ? undefined : 'var(--accent)'}
            x={(first + index) * SLOT + 1.5}
            y={isDown ? UP : UP - height}
            width={SLOT - 2}
            height={height}
          >
            <title>{title}</title>
          </rect>
        )
      })}
    </svg>
  )
}
