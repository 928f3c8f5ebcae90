// The last 24 hours: success rate, latency, and waiting deliveries.
import { Group, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import { SmallBars, SmallLine } from '../../../ui/small-chart.tsx'
import type { Endpoint, EndpointStats } from '../api/webhooks.ts'
import {
  formatLatency,
  formatRate,
  formatWaiting,
  latencyPhrase,
  latencySteps,
  ratePhrase,
  rateSteps,
} from '../stats-words.ts'

const CHART = { width: 240, height: 40 }

function Tile({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack gap-8 box" aria-label={title}>
      <h2 className="muted tiny medium">{title}</h2>
      {children}
    </section>
  )
}

function Figure({ children, note }: { children: ReactNode; note?: string }) {
  return (
    <Group justify="space-between" align="baseline" gap="0 8px" className="tabular">
      <span className="title">{children}</span>
      {note && <span className="muted tiny">{note}</span>}
    </Group>
  )
}

function Axis() {
  return (
    <div className="flex between muted tiny" aria-hidden>
      <span>24 h ago</span>
      <span>Now</span>
    </div>
  )
}

function Success({ stats }: { stats: EndpointStats }) {
  const { succeeded, failed, successRate } = stats
  if (successRate === null) return <p className="muted small">{ratePhrase(stats)}</p>
  return (
    <>
      <Figure note={`${formatCount(succeeded)} succeeded, ${formatCount(failed)} failed`}>
        {formatRate(successRate)}
      </Figure>
      <SmallBars {...CHART} steps={rateSteps(stats.hours)} label={ratePhrase(stats)} />
      <Axis />
    </>
  )
}

function Latency({ stats }: { stats: EndpointStats }) {
  const { medianMs, p95Ms } = stats
  if (medianMs === null || p95Ms === null) return <p className="muted small">{latencyPhrase(stats)}</p>
  return (
    <>
      <Figure note={`95th percentile: ${formatLatency(p95Ms)}`}>{formatLatency(medianMs)}</Figure>
      <SmallLine {...CHART} steps={latencySteps(stats.hours)} label={latencyPhrase(stats)} />
      <Axis />
    </>
  )
}

export function StatsTiles({ endpoint }: { endpoint: Endpoint }) {
  const { stats, waiting, isEnabled } = endpoint
  return (
    <SimpleGrid type="container" cols={{ base: 1, '480px': 3 }} spacing={12}>
      <Tile title="Attempts that succeeded">
        <Success stats={stats} />
      </Tile>
      <Tile title="Median time of an attempt">
        <Latency stats={stats} />
      </Tile>
      <Tile title="Waiting">
        <Figure>{formatWaiting(waiting)}</Figure>
        <p className="muted small">
          {isEnabled ? 'Deliveries with an attempt to follow' : 'Deliveries, until it is enabled'}
        </p>
      </Tile>
    </SimpleGrid>
  )
}
