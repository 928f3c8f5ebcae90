// All endpoints: how each is doing, what it gets, and its last 24 hours as small charts.
import { Link } from '@tanstack/react-router'
import dataTable from '../../../../ui/data-table.module.css'
import { SmallBars, SmallLine } from '../../../../ui/small-chart.tsx'
import { Moment } from '../../../../ui/time.tsx'
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
import classes from './endpoints.module.css'
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
        {endpoint.description && <span className={classes.about}>{endpoint.description} · </span>}
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
      since <Moment value={failingSince} />
    </>
  )
}

function State({ endpoint }: { endpoint: Endpoint }) {
  const { successRate } = endpoint.stats
  return (
    <td className={dataTable.fit}>
      <StateChip endpoint={endpoint} />
      <span className={`${dataTable.cut} ${dataTable.second} ${classes.why}`}>
        <Why endpoint={endpoint} />
      </span>
      {successRate !== null && (
        <span className={`${classes.rate} ${dataTable.second}`}>{formatRate(successRate)} in 24 h</span>
      )}
    </td>
  )
}

function Success({ stats }: Pick<Endpoint, 'stats'>) {
  return (
    <td className={`${classes.chartCell} ${dataTable.wide}`}>
      <div className="row gap-12">
        <span className={`${classes.figure} tabular`}>
          {stats.successRate === null ? '' : formatRate(stats.successRate)}
        </span>
        <span className="fill">
          <SmallBars steps={rateSteps(stats.hours)} label={ratePhrase(stats)} />
        </span>
      </div>
    </td>
  )
}

function Latency({ stats }: Pick<Endpoint, 'stats'>) {
  return (
    <td className={`${classes.chartCell} ${dataTable.wide}`}>
      <div className="row gap-12">
        <span className={`${classes.figure} tabular`}>
          {stats.medianMs === null ? '' : formatLatency(stats.medianMs)}
        </span>
        <span className="fill">
          <SmallLine steps={latencySteps(stats.hours)} label={latencyPhrase(stats)} />
        </span>
      </div>
    </td>
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
          <tr key={endpoint.id} className={classes.row}>
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
