// The last 24 hours: how much arrived, how fast, and what still waits.
import type { ReactNode } from 'react'
import type { Endpoint, EndpointStats } from '../../../api/webhooks.ts'
import { SmallBars, SmallLine } from '../../../ui/small-chart.tsx'
import { formatCount } from '../../settings/objects/counted.ts'
import classes from './endpoints.module.css'
import {
  formatLatency,
  formatRate,
  latencyPhrase,
  latencySteps,
  ratePhrase,
  rateSteps,
} from './stats-words.ts'

const CHART = { width: 240, height: 40 }

interface TileProps {
  title: string
  figure: string
  beside?: string | undefined
  children: ReactNode
}

function Tile({ title, figure, beside, children }: TileProps) {
  return (
    <section className={classes.tile} aria-label={title}>
      <h2 className={classes.tileTitle}>{title}</h2>
      <div className={`${classes.tileFigure} tabular`}>
        <span>{figure}</span>
        {beside && <small>{beside}</small>}
      </div>
      {children}
    </section>
  )
}

function Axis() {
  return (
    <div className={classes.axis} aria-hidden>
      <span>24 h ago</span>
      <span>Now</span>
    </div>
  )
}

function Success({ stats }: { stats: EndpointStats }) {
  const { succeeded, failed, successRate } = stats
  return (
    <Tile
      title="Attempts that succeeded"
      figure={successRate === null ? 'None yet' : formatRate(successRate)}
      beside={
        successRate === null
          ? undefined
          : `${formatCount(succeeded)} succeeded, ${formatCount(failed)} failed`
      }
    >
      <SmallBars {...CHART} steps={rateSteps(stats.hours)} label={ratePhrase(stats)} />
      <Axis />
    </Tile>
  )
}

function Latency({ stats }: { stats: EndpointStats }) {
  const { medianMs, p95Ms } = stats
  return (
    <Tile
      title="Median time to an answer"
      figure={medianMs === null ? 'None yet' : formatLatency(medianMs)}
      beside={p95Ms === null ? undefined : `95 of 100: ${formatLatency(p95Ms)}`}
    >
      <SmallLine {...CHART} steps={latencySteps(stats.hours)} label={latencyPhrase(stats)} />
      <Axis />
    </Tile>
  )
}

export function StatsTiles({ endpoint }: { endpoint: Endpoint }) {
  const { stats, waiting, isEnabled } = endpoint
  return (
    <div className={classes.tiles}>
      <Success stats={stats} />
      <Latency stats={stats} />
      <Tile title="Waiting" figure={formatCount(waiting)}>
        <p className={classes.tileText}>
          {isEnabled ? 'Deliveries with an attempt to come.' : 'Deliveries that wait until it is enabled.'}
        </p>
      </Tile>
    </div>
  )
}
