// Chooses the column that a phone shows.
import { ActionIcon, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../../../../contract/counted.ts'
import { useBoard } from './board-context.ts'
import { boardGroupsQuery } from './board-data.ts'
import { type ColumnValue, columnTitle } from './columns.ts'

interface SwitcherProps {
  value: ColumnValue
  onChange(value: ColumnValue): void
}

export function ColumnSwitcher({ value, onChange }: SwitcherProps) {
  const { source, values, shown } = useBoard()
  const { data } = useQuery(boardGroupsQuery(source))
  const counts = new Map(data?.groups.map((group) => [group.value, group.count]))
  const choices = values.filter((one) => shown.includes(one) || one === value)
  const place = choices.indexOf(value)
  const go = (index: number) => {
    const next = choices[index]
    if (next !== undefined) onChange(next)
  }
  const options = choices.map((one, index) => ({
    value: String(index),
    label: `${columnTitle(source.groupBy, one)} (${formatCount(counts.get(one) ?? 0)})`,
  }))
  return (
    <Group className="fixed" gap={8} wrap="nowrap">
      <ActionIcon
        size="lg"
        variant="default"
        aria-label="Previous column"
        disabled={place === 0}
        onClick={() => go(place - 1)}
      >
        <ChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <NativeSelect
        flex={1}
        aria-label="Column"
        data={options}
        value={String(place)}
        onChange={({ currentTarget }) => go(Number(currentTarget.value))}
      />
      <ActionIcon
        size="lg"
        variant="default"
        aria-label="Next column"
        disabled={place === choices.length - 1}
        onClick={() => go(place + 1)}
      >
        <ChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
