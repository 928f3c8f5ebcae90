// The head of a column: its value, the number of its records, and their sum.
import { ActionIcon, Box, Group, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronsLeftRight, ChevronsRightLeft, Plus } from 'lucide-react'
import { formatCount, nounFor } from '../../../../contract/counted.ts'
import { formatMoney, formatNumber } from '../../../../contract/number-values.ts'
import { Chip } from '../../../ui/chip.tsx'
import { held } from '../../../ui/held.ts'
import { useBoard } from './board-context.ts'
import { boardGroupsQuery } from './board-data.ts'
import { type ColumnValue, canTake, columnTint, columnTitle } from './columns.ts'

export function ColumnTitle({ value }: { value: ColumnValue }) {
  const { groupBy } = useBoard().source
  const title = columnTitle(groupBy, value)
  if (value === null) return <span className="truncate muted">{title}</span>
  return <Chip index={columnTint(groupBy, value)}>{title}</Chip>
}

/** undefined while records are being counted. */
export function useGroup(value: ColumnValue) {
  const { data } = useQuery(boardGroupsQuery(useBoard().source))
  return data && (data.groups.find((group) => group.value === value) ?? { value, count: 0, sums: [] })
}

export function ColumnCount({ value }: { value: ColumnValue }) {
  const { object } = useBoard().source
  const count = useGroup(value)?.count
  if (count === undefined) return null
  const noun = nounFor(count, object.singularName, object.pluralName).toLowerCase()
  return (
    <span className="muted tiny tabular">
      {formatCount(count)}
      <span className="visually-hidden"> {noun}</span>
    </span>
  )
}

function ColumnSum({ value }: { value: ColumnValue }) {
  const { sumOf } = useBoard().source
  const sums = useGroup(value)?.sums ?? []
  if (!sumOf) return null
  // Amounts of different currencies are listed, because they cannot be added up.
  const text = sums
    .map(({ currency, sum }) => (currency ? formatMoney({ amount: sum, currency }) : formatNumber(sum)))
    .join(' · ')
  return (
    <Box
      component="p"
      className="truncate muted tiny tabular"
      mt={2}
      title={text && `${sumOf.name}: ${text}`}
    >
      <span className="visually-hidden">{sumOf.name}: </span>
      {text || '\u00a0'}
    </Box>
  )
}

function CreateButton({ value }: { value: ColumnValue }) {
  const { source, locked, onCreate } = useBoard()
  const { groupBy, object } = source
  if (!onCreate || (value !== null && !canTake(groupBy, value))) return null
  const label = `Create ${object.singularName.toLowerCase()} in ${columnTitle(groupBy, value)}`
  return (
    <Tooltip label={locked ?? label}>
      <ActionIcon size="sm" aria-label={label} {...held(locked, () => onCreate({ [groupBy.slug]: value }))}>
        <Plus size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

const UPRIGHT = { minHeight: 0, writingMode: 'vertical-rl' } as const

interface FoldProps {
  value: ColumnValue
  onFold?: (() => void) | undefined
}

export function ColumnHead({ value, onFold }: FoldProps) {
  const { groupBy } = useBoard().source
  const label = `Collapse ${columnTitle(groupBy, value)}`
  return (
    <Box component="header" className="fixed" p="8px 8px 4px 12px">
      <Group gap={8} mih={24} wrap="nowrap">
        <h2 className="flex shrink small medium">
          <ColumnTitle value={value} />
        </h2>
        <ColumnCount value={value} />
        <span className="grow" />
        <CreateButton value={value} />
        {onFold && (
          <Tooltip label={label}>
            <ActionIcon size="sm" aria-label={label} onClick={onFold}>
              <ChevronsRightLeft size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <ColumnSum value={value} />
    </Box>
  )
}

/** The head of a collapsed column, which still accepts cards. */
export function FoldedHead({ value, onFold }: Required<FoldProps>) {
  const { groupBy } = useBoard().source
  const label = `Expand ${columnTitle(groupBy, value)}`
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon size="sm" aria-label={label} onClick={onFold}>
          <ChevronsLeftRight size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ColumnCount value={value} />
      <h2 className="truncate small medium" style={UPRIGHT}>
        {columnTitle(groupBy, value)}
      </h2>
    </>
  )
}
