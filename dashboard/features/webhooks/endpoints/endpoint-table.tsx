// The table of endpoints: state, events, and small charts of the last 24 hours.
import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { SecondLine, TitleLink } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { SmallBars, SmallLine } from '../../../ui/small-chart.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import type { Endpoint } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'
import {
  formatLatency,
  formatRate,
  formatWaiting,
  latencyPhrase,
  latencySteps,
  ratePhrase,
  rateSteps,
} from '../stats-words.ts'
import { DISABLED_SHORT } from './endpoint-state.ts'
import { summarizeTypes } from './event-type-tree.ts'
import { StateChip } from './state-chip.tsx'

function Name({ endpoint }: { endpoint: Endpoint }) {
  const space = useSpace()
  const types = summarizeTypes(endpoint.eventTypes)
  return (
    <>
      <TitleLink to={space.paths.endpoint(endpoint.id)} className={dataTable.mono}>
        {endpoint.url}
      </TitleLink>
      <SecondLine title={`${endpoint.description} ${types}`}>
        {endpoint.description && <span className="plain">{endpoint.description} · </span>}
        {types}
      </SecondLine>
    </>
  )
}

function Why({ endpoint }: { endpoint: Endpoint }) {
  const { disabledReason, failingSince } = endpoint
  if (disabledReason) return DISABLED_SHORT[disabledReason]
  if (failingSince === null) return null
  return (
    <>
      since <ColumnTime value={failingSince} />
    </>
  )
}

function State({ endpoint }: { endpoint: Endpoint }) {
  const { successRate } = endpoint.stats
  return (
    <>
      <StateChip endpoint={endpoint} />
      <Box className={`${dataTable.cut} ${dataTable.second}`} maw="24ch">
        <Why endpoint={endpoint} />
      </Box>
      {successRate !== null && (
        <div>
          <span className={`${dataTable.narrow} ${dataTable.second}`}>{formatRate(successRate)} in 24 h</span>
        </div>
      )}
    </>
  )
}

/** A figure with a chart of the last hours. */
function ChartCell({ figure, children }: { figure: string | null; children: ReactNode }) {
  return (
    <div className="row gap-12">
      <Text span miw={52} className="fixed tabular">
        {figure}
      </Text>
      <span className="fill">{children}</span>
    </div>
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

const chartProps = () => ({ style: { width: 168, maxWidth: 'none' } })

const COLUMNS: Columns<Endpoint> = [
  { title: 'Endpoint', kind: 'name', cell: (endpoint) => <Name endpoint={endpoint} /> },
  { title: 'State', isFit: true, cell: (endpoint) => <State endpoint={endpoint} /> },
  {
    title: 'Success, 24 h',
    onlyWide: true,
    cellProps: chartProps,
    cell: ({ stats }) => <Success stats={stats} />,
  },
  {
    title: 'Median time, 24 h',
    onlyWide: true,
    cellProps: chartProps,
    cell: ({ stats }) => <Latency stats={stats} />,
  },
  {
    title: 'Waiting',
    kind: 'number',
    isFit: true,
    onlyWide: true,
    cell: ({ waiting }) => formatWaiting(waiting),
  },
]

export function EndpointTable({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return <DataTable columns={COLUMNS} rows={endpoints} />
}
