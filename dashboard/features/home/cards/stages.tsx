// The count and sum of the records in each stage. Not a DataTable, because cells are bars, and closed stages are a group.
import { Anchor, SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../../../contract/counted.ts'
import { numberFormat } from '../../../../contract/language.ts'
import { formatMoney } from '../../../../contract/number-values.ts'
import { isClosedStage, ownerAttribute, stageAttribute } from '../../../../contract/standard-objects.ts'
import { ME } from '../../../shared/api/record-names.ts'
import type { FilterTree } from '../../../shared/filters/filter.ts'
import { PLAIN, searchOf } from '../../../shared/filters/view-state.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { tintOfOption } from '../../../shared/values/attribute-config.ts'
import { Chip, fillOf } from '../../../ui/chip.tsx'
import { type Group, groupsQuery } from '../../records/api/groups.ts'
import { defaultBoard } from '../../records/groupable.ts'
import { type Pipeline, pipelineQuery } from '../api.ts'
import classes from './home.module.css'
import { HomeCard } from './home-card.tsx'

interface StageProps {
  pipeline: Pipeline
  group: Group
  /** The count of the longest bar; undefined: no bars. */
  most: number | undefined
  isLoading: boolean
  /** Only records that the signed-in user owns. */
  own: FilterTree | undefined
}

/** "$1.5M": rounded here, the board shows exact amounts. */
const short = (amount: string, currency: string): string =>
  numberFormat({
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(Number(amount))

const sumText = ({ sums }: Group, write: (amount: string, currency: string) => string): string =>
  sums.flatMap(({ currency, sum }) => (currency ? [write(sum, currency)] : [])).join(' · ')

const exact = (amount: string, currency: string) => formatMoney({ amount, currency })

function filterOf({ by }: Pipeline, { value }: Group, own: FilterTree | undefined): FilterTree {
  const stage: FilterTree =
    value === null
      ? { attributeSlug: by.slug, operator: 'isEmpty', value: true }
      : { attributeSlug: by.slug, operator: 'equals', value }
  return own ? { and: [own, stage] } : stage
}

function Stage({ pipeline, group, most, isLoading, own }: StageProps) {
  const org = useOrg()
  const { object, by } = pipeline
  const { value, count } = group
  const filter = filterOf(pipeline, group, own)
  const tint = tintOfOption(by, value ?? '')
  return (
    <tr>
      <th scope="row">
        <Link
          to={recordPaths.object(org, object.slug)}
          search={searchOf(PLAIN, { ...PLAIN, filter }) as never}
          className="block truncate muted underlined"
        >
          {value === null ? `No ${by.name.toLowerCase()}` : <Chip index={tint}>{value}</Chip>}
        </Link>
      </th>
      <td style={{ width: '60%' }}>
        {count > 0 && most !== undefined && (
          <span
            className={classes.bar}
            data-bar
            style={{ width: `${(count / most) * 100}%`, height: 12, background: fillOf(tint) }}
          />
        )}
      </td>
      <td>{isLoading ? '' : formatCount(count)}</td>
      {pipeline.sumOf && (
        <td className="truncate muted" style={{ maxWidth: 200 }} title={sumText(group, exact)}>
          {sumText(group, short)}
        </td>
      )}
    </tr>
  )
}

/** Won and lost deals have no bars: such bars would be much longer than those of open deals. */
const isDecided = ({ object, by: { id, config } }: Pipeline, { value }: Group): boolean =>
  value !== null &&
  stageAttribute(object)?.id === id &&
  isClosedStage(config && 'options' in config ? config : {}, value)

/** As many rows as the loaded table will have, so that the content below does not move. */
const emptyGroups = ({ config }: Pipeline['by']): Group[] =>
  (config && 'options' in config ? config.options : []).map((value) => ({ value, count: 0, sums: [] }))

function Bars({ pipeline, own }: Pick<StageProps, 'pipeline' | 'own'>) {
  const { object, by, sumOf } = pipeline
  const body = { by: by.slug, ...(sumOf && { sumOf: sumOf.slug }), ...(own && { filter: own }) }
  const { data, error, refetch } = useQuery({
    ...groupsQuery(useOrg(), object.slug, body),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  const groups = (data?.groups ?? emptyGroups(by)).filter(({ value, count }) => value !== null || count > 0)
  const { open = [], decided = [] } = Object.groupBy(groups, (group) =>
    isDecided(pipeline, group) ? 'decided' : 'open',
  )
  const most = Math.max(1, ...open.map(({ count }) => count))
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
        {open.map((group) => (
          <Stage key={group.value ?? ''} {...{ pipeline, group, most, own }} isLoading={!data} />
        ))}
      </tbody>
      <tbody>
        {decided.map((group) => (
          <Stage key={group.value} {...{ pipeline, group, own }} most={undefined} isLoading={!data} />
        ))}
      </tbody>
    </table>
  )
}

function useOwn({ object }: Pipeline) {
  const owner = ownerAttribute(object.attributes)
  const [whose, setWhose] = useLocalStorage<string>({
    key: `rapport-pipeline:${useOrg()}`,
    defaultValue: 'mine',
    getInitialValueInEffect: false,
  })
  const isOwn = owner !== undefined && whose === 'mine'
  const own: FilterTree | undefined = isOwn
    ? { attributeSlug: owner.slug, operator: 'equals', value: ME }
    : undefined
  return { owner, own, setWhose }
}

function PipelineCard({ pipeline }: { pipeline: Pipeline }) {
  const org = useOrg()
  const { object, by, sumOf } = pipeline
  const { owner, own, setWhose } = useOwn(pipeline)
  const board = { groupBy: by.slug, ...(sumOf && { sumOf: sumOf.slug }) }
  const isDefault = defaultBoard(object.attributes)?.groupBy === by.slug
  const shown = searchOf(PLAIN, {
    ...PLAIN,
    kind: 'board',
    filter: own ?? null,
    board: isDefault ? null : board,
  })
  const title = own ? 'My pipeline' : `${object.pluralName} by ${by.name.toLowerCase()}`
  return (
    <HomeCard
      title={title}
      link={
        <Anchor component={Link} to={recordPaths.object(org, object.slug)} search={shown as never}>
          Open board
        </Anchor>
      }
    >
      {owner && (
        <SegmentedControl
          aria-label={`Whose ${object.pluralName.toLowerCase()}`}
          mx={16}
          mb={8}
          value={own ? 'mine' : 'all'}
          onChange={setWhose}
          data={[
            { value: 'mine', label: 'Mine' },
            { value: 'all', label: 'Everyone’s' },
          ]}
        />
      )}
      <Bars pipeline={pipeline} own={own} />
    </HomeCard>
  )
}

/** Nothing when no object has a select attribute. */
export function Stages() {
  const { data: pipeline } = useQuery(pipelineQuery(useOrg(), useQueryClient()))
  return pipeline ? <PipelineCard pipeline={pipeline} /> : null
}
