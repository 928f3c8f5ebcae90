// "sorted by sum of amount, largest first, at most 20 rows, only groups where …"
import { Group, NumberInput, Radio, Stack } from '@mantine/core'
import { formatCount } from '../../../../contract/counted.ts'
import { REPORT_ROWS_DEFAULT, REPORT_ROWS_MAX } from '../../../../contract/report-states.ts'
import type { ReportSort } from '../../../../contract/reports.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import { Add } from './add-button.tsx'
import { useBuilder } from './builder-context.ts'
import { isRows } from './builder-state.ts'
import { type ColumnName, columnNames } from './column-names.ts'
import { HavingParts } from './having-parts.tsx'
import { PartChip } from './part-chip.tsx'
import { Sentence } from './sentence.tsx'

const ORDERS: Readonly<Record<ColumnName['kind'], { asc: string; desc: string }>> = {
  number: { asc: 'smallest first', desc: 'largest first' },
  date: { asc: 'oldest first', desc: 'newest first' },
  select: { asc: 'first option first', desc: 'last option first' },
  text: { asc: 'A to Z', desc: 'Z to A' },
}

function Sort({ sort, index, count }: { sort: ReportSort; index: number; count: number }) {
  const { act, draft, objects, fields } = useBuilder()
  const { key, order = 'asc' } = sort
  const found = columnNames(draft, { objects, fields }).find((one) => one.key === key)
  const name = found?.name ?? key
  const words = ORDERS[found?.kind ?? 'text']
  return (
    <PartChip
      name={`order by ${name}`}
      words={`${name}, ${words[order]}`}
      isBroken={!found}
      position={{ list: 'sort', key, index, count }}
      onRemove={() => act({ does: 'remove', list: 'sort', index })}
      form={() => (
        <Radio.Group
          aria-label="Order"
          value={order}
          onChange={(chosen) => act({ does: 'sort', key, order: chosen === 'desc' ? 'desc' : 'asc' })}
        >
          <Stack gap="xs">
            <Radio value="asc" label={capitalized(words.asc)} data-autofocus />
            <Radio value="desc" label={capitalized(words.desc)} />
          </Stack>
        </Radio.Group>
      )}
    />
  )
}

function Sorts() {
  const { draft, act, objects, fields } = useBuilder()
  const { sort = [] } = draft
  const names = columnNames(draft, { objects, fields })
  const choices = names
    .filter(({ key }) => !sort.some((one) => one.key === key))
    .map(({ key, name }) => ({ value: key, label: name }))
  const measured = new Set((draft.measures ?? []).map(({ key }) => key))
  return (
    <Group gap={6} mr={12}>
      {sort.map((one, index) => (
        <Sort key={one.key} sort={one} index={index} count={sort.length} />
      ))}
      <Add
        label="Order"
        placeholder="Find a column"
        groups={[{ name: 'Sorted by', choices }]}
        onPick={(key) => act({ does: 'sort', key, order: measured.has(key) ? 'desc' : 'asc' })}
      />
    </Group>
  )
}

function Limit() {
  const { draft, act } = useBuilder()
  return (
    <Group gap={6} mr={12}>
      <span className="muted small">at most</span>
      <NumberInput
        aria-label="Rows at most"
        size="xs"
        w={76}
        placeholder={formatCount(REPORT_ROWS_DEFAULT)}
        value={draft.limit ?? ''}
        min={1}
        max={REPORT_ROWS_MAX}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        onChange={(value) =>
          act({ does: 'limit', limit: typeof value === 'number' ? value : undefined }, 'limit')
        }
      />
      <span className="muted small">rows</span>
    </Group>
  )
}

export function ThenSentence() {
  const { draft } = useBuilder()
  return (
    <Sentence name="then" lead="sorted by" zone="sort">
      <Sorts />
      <Limit />
      {!isRows(draft) && <HavingParts />}
    </Sentence>
  )
}
