// Chooses the columns, their order and the height of rows.
import { ActionIcon, Button, Checkbox, Group, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core'
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useState } from 'react'
import { FilterPopover } from '../../../shared/filters/filter-popover.tsx'
import type { RowHeight, ViewState } from '../../../shared/filters/view-state.ts'
import { keyName } from '../../../shared/shortcuts/shortcuts.ts'
import { chosenColumns, nudgeColumn, type TableColumn, withColumn } from '../../../shared/table/columns.ts'

interface ColumnsProps {
  columns: readonly TableColumn[]
  state: ViewState
  change(patch: Partial<ViewState>): void
}

const HEIGHTS: readonly { value: RowHeight; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'default', label: 'Default' },
  { value: 'comfortable', label: 'Roomy' },
]

function ColumnRow({ column, columns, change }: ColumnsProps & { column: TableColumn }) {
  const { slug, name, isHidden } = column
  const put = (next: readonly TableColumn[]) => change({ columns: chosenColumns(next) })
  const isFirst = columns[0] === column
  return (
    <Group gap={4} mih={32} wrap="nowrap">
      <Checkbox
        className="fill"
        label={name}
        checked={!isHidden}
        disabled={isFirst}
        onChange={({ currentTarget }) => put(withColumn(columns, slug, { isHidden: !currentTarget.checked }))}
      />
      {!isFirst && !isHidden && (
        <>
          <ActionIcon
            size="sm"
            aria-label={`Move ${name} up`}
            onClick={() => put(nudgeColumn(columns, slug, -1))}
          >
            <ArrowUp size={14} aria-hidden />
          </ActionIcon>
          <ActionIcon
            size="sm"
            aria-label={`Move ${name} down`}
            onClick={() => put(nudgeColumn(columns, slug, 1))}
          >
            <ArrowDown size={14} aria-hidden />
          </ActionIcon>
        </>
      )}
    </Group>
  )
}

export function ColumnsPopover(props: ColumnsProps) {
  const { columns, state, change } = props
  const [isOpen, setOpen] = useState(false)
  const target = (
    <Button
      variant="subtle"
      color="gray"
      title="Columns and row height"
      leftSection={<Columns3 size={14} aria-hidden />}
      onClick={() => setOpen(!isOpen)}
    >
      Columns
    </Button>
  )
  return (
    <FilterPopover
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      label="Columns"
      target={target}
      position="bottom-end"
    >
      <Stack gap="xs">
        <SegmentedControl
          fullWidth
          aria-label="Row height"
          data={[...HEIGHTS]}
          value={state.rowHeight}
          onChange={(rowHeight) => change({ rowHeight: rowHeight as RowHeight })}
        />
        <ScrollArea.Autosize mah={360} type="auto">
          {columns.map((column) => (
            <ColumnRow key={column.slug} {...props} column={column} />
          ))}
        </ScrollArea.Autosize>
        {state.columns.length > 0 && (
          <Button variant="subtle" color="gray" onClick={() => change({ columns: [] })}>
            Show all in the order of the object
          </Button>
        )}
        <Text size="xs" c="dimmed">
          In a column’s head: {keyName('Alt')} and arrows move it, {keyName('Shift')} and arrows change its
          width.
        </Text>
      </Stack>
    </FilterPopover>
  )
}
