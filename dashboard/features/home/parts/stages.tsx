// How many records are in each stage, and what they add up to: bars in a table.
import { Anchor } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FilterTree } from '../../../shared/filters/filter.ts'
import { PLAIN, searchOf } from '../../../shared/filters/view-state.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { formatMoney, formatNumber } from '../../../shared/values/format.ts'
import { Chip } from '../../../ui/chip.tsx'
import { type Group, groupsQuery } from '../../records/api/groups.ts'
import { type Pipeline, pipelineQuery } from '../api.ts'
import classes from './home.module.css'
import { HomeCard } from './home-card.tsx'

interface StageProps {
  pipeline: Pipeline
  group: Group
  /** The longest bar. */
  most: number
  isLoading: boolean
}

/** "$1.5M": the bars tell how it is, the board tells exactly. */
const short = (amount: string, currency: string): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(Number(amount))

const sumText = ({ sums }: Group, write: (amount: string, currency: string) => string): string =>
  sums.flatMap(({ currency, sum }) => (currency ? [write(sum, currency)] : [])).join(' · ')

const exact = (amount: string, currency: string) => formatMoney({ amount, currency })

function filterOf({ by }: Pipeline, { value }: Group): FilterTree {
  if (value === null) return { attributeSlug: by.slug, operator: 'isEmpty', value: true }
  return { attributeSlug: by.slug, operator: 'equals', value }
}

function Stage({ pipeline, group, most, isLoading }: StageProps) {
  const org = useOrg()
  const { object, by } = pipeline
  const options = by.config && 'options' in by.config ? by.config.options : []
  const { value, count } = group
  const filter = filterOf(pipeline, group)
  return (
    <tr>
      <th scope="row">
        <Link
          to={recordPaths.object(org, object.slug)}
          search={searchOf(PLAIN, { ...PLAIN, filter }) as never}
          className="block truncate muted underlined"
        >
          {value === null ? (
            `No ${by.name.toLowerCase()}`
          ) : (
            <Chip index={options.indexOf(value)}>{value}</Chip>
          )}
        </Link>
      </th>
      <td style={{ width: '60%' }}>
        {count > 0 && (
          <span className={classes.bar} style={{ width: `${(count / most) * 100}%`, height: 12 }} />
        )}
      </td>
      <td>{isLoading ? '' : formatNumber(count)}</td>
      {pipeline.sumOf && (
        <td className="truncate muted" style={{ maxWidth: 200 }} title={sumText(group, exact)}>
          {sumText(group, short)}
        </td>
      )}
    </tr>
  )
}

/** As many rows as there will be: what is below stays where it is. */
const emptyGroups = ({ config }: Pipeline['by']): Group[] =>
  (config && 'options' in config ? config.options : []).map((value) => ({ value, count: 0, sums: [] }))

function Bars({ pipeline }: { pipeline: Pipeline }) {
  const { object, by, sumOf } = pipeline
  const body = { by: by.slug, ...(sumOf && { sumOf: sumOf.slug }) }
  const { data, error, refetch } = useQuery(groupsQuery(useOrg(), object.slug, body))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  const groups = (data?.groups ?? emptyGroups(by)).filter(({ value, count }) => value !== null || count > 0)
  const most = Math.max(1, ...groups.map(({ count }) => count))
  return (
    <table className={classes.stages} aria-busy={!data}>
      <thead className="visually-hidden">
        <tr>
          <th>{by.name}</th>
          <th aria-hidden>Share</th>
          <th>{object.pluralName}</th>
          {sumOf && <th>{sumOf.name}</th>}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <Stage key={group.value ?? ''} pipeline={pipeline} group={group} most={most} isLoading={!data} />
        ))}
      </tbody>
    </table>
  )
}

/** Nothing when no object has a select attribute. */
export function Stages() {
  const org = useOrg()
  const { data: pipeline } = useQuery(pipelineQuery(org, useQueryClient()))
  if (!pipeline) return null
  const { object, by } = pipeline
  const board = searchOf(PLAIN, { ...PLAIN, kind: 'board', board: { groupBy: by.slug } })
  return (
    <HomeCard
      title={`${object.pluralName} by ${by.name.toLowerCase()}`}
      link={
        <Anchor component={Link} to={recordPaths.object(org, object.slug)} search={board as never}>
          Open board
        </Anchor>
      }
    >
      <Bars pipeline={pipeline} />
    </HomeCard>
  )
}
