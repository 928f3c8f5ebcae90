// All endpoints: how each is doing, what it gets, and its last 24 hours as small charts.
import { Box, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import dataTable from '../../../../ui/data-table/data-table.module.css'
import { SmallBars, SmallLine } from '../../../../ui/small-chart.tsx'
import { ColumnMoment } from '../../../../ui/time.tsx'
import type { Endpoint } from '../../api/webhooks.ts'
import { useSpace } from '../../space.tsx'
import {
  formatLatency,
  formatRate,
  formatWaiting,
  latencyPhrase,
  latencySteps,
  ratePhrase,
  rateSteps,
} from '../../stats-words.ts'
import { DISABLED_SHORT } from './endpoint-state.ts'
import { summarizeTypes } from './event-type-tree.ts'
import { StateChip } from './state-chip.tsx'

function Name({ endpoint }: { endpoint: Endpoint }) {
  const space = useSpace()
  const types = summarizeTypes(endpoint.eventTypes)
  return (
    <th scope="row">
      <Link
        to={space.paths.endpoint(endpoint.id)}
        className={`${dataTable.titleLink} ${dataTable.cut} ${dataTable.mono}`}
        title={endpoint.url}
      >
        {endpoint.url}
      </Link>
      <span className={`${dataTable.cut} ${dataTable.second}`} title={`${endpoint.description} ${types}`}>
        {endpoint.description && <span className="plain">{endpoint.description} · </span>}
        {types}
      </span>
    </th>
  )
}

function Why({ endpoint }: { endpoint: Endpoint }) {
  const { disabledReason, failingSince } = endpoint
  if (disabledReason) return DISABLED_SHORT[disabledReason]
  if (failingSince === null) return null
  return (
    <>
      since <ColumnMoment value={failingSince} />
    </>
  )
}

function State({ endpoint }: { endpoint: Endpoint }) {
  const { successRate } = endpoint.stats
  return (
    <td className={dataTable.fit}>
      <StateChip endpoint={endpoint} />
      <Box className={`${dataTable.cut} ${dataTable.second}`} maw="24ch">
        <Why endpoint={endpoint} />
      </Box>
      {successRate !== null && (
        <div>
          <span className={`${dataTable.narrow} ${dataTable.second}`}>{formatRate(successRate)} in 24 h</span>
        </div>
      )}
    </td>
  )
}

/** A figure, and how it came about in the last hours. */
function ChartCell({ figure, children }: { figure: string | null; children: ReactNode }) {
  return (
    <td className={dataTable.wide} style={{ width: 168, maxWidth: 'none' }}>
      <div className="row gap-12">
        <Text span miw={52} className="fixed tabular">
          {figure}
        </Text>
        <span className="fill">{children}</span>
      </div>
    </td>
  )
}

function Success({ stats }: Pick<Endpoint, 'stats'>) {
  return (
    <ChartCell figure={stats.successRate === null ? null : formatRate(stats.successRate)}>
      <SmallBars steps={rateSteps(stats.hours)} label={ratePhrase(stats)} />
    </ChartCell>
  )
}

function Latency({ stats }: Pick<Endpoint, 'stats'>) {
  return (
    <ChartCell figure={stats.medianMs === null ? null : formatLatency(stats.medianMs)}>
      <SmallLine steps={latencySteps(stats.hours)} label={latencyPhrase(stats)} />
    </ChartCell>
  )
}

export function EndpointTable({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return (
    <table className={dataTable.table}>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">State</th>
          <th scope="col" className={dataTable.wide}>
            Success, 24 h
          </th>
          <th scope="col" className={dataTable.wide}>
            Median time, 24 h
          </th>
          <th scope="col" className={dataTable.wide} data-numeric>
            Waiting
          </th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => (
          <tr key={endpoint.id}>
            <Name endpoint={endpoint} />
            <State endpoint={endpoint} />
            <Success stats={endpoint.stats} />
            <Latency stats={endpoint.stats} />
            <td className={`${dataTable.fit} ${dataTable.wide}`} data-numeric>
              {formatWaiting(endpoint.waiting)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
