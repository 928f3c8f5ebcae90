// The filters above the log: state, type and time.
import { Group, TextInput, type TextInputProps, Tooltip } from '@mantine/core'
import { type RefObject, useRef } from 'react'
import { EVENT_TYPES } from '../../../../contract/events.ts'
import { DELIVERY_STATES } from '../../../../contract/webhook-states.ts'
import { Select } from '../../../ui/select.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { STATE_WORDS } from '../delivery-words.ts'
import { type LogSearch, PERIODS } from '../endpoint-search.ts'
import { fromLocalField, PERIOD_WORDS, toLocalField } from './log-filters.ts'

interface FilterProps {
  search: LogSearch
  onChange(part: LogSearch): void
}

const STATES = DELIVERY_STATES.map((value) => ({ value, label: STATE_WORDS[value].word }))
const TYPES = Object.keys(EVENT_TYPES)
const TIMES = [
  ...PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] })),
  { value: 'custom', label: 'From … to …' },
]

const DAY_MS = 86_400_000

function StateFilter({
  search,
  onChange,
  field,
}: FilterProps & { field: RefObject<HTMLInputElement | null> }) {
  return (
    <Tooltip label="Filter (F)">
      <Select
        ref={field}
        aria-label="State"
        placeholder="Any state"
        data={STATES}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: (state ?? undefined) as LogSearch['state'] })}
        clearable
        flex="1 1 140px"
        maw={148}
      />
    </Tooltip>
  )
}

function TypeFilter({ search, onChange }: FilterProps) {
  return (
    <Select
      aria-label="Event type"
      placeholder="Any event type"
      data={TYPES}
      value={search.type ?? null}
      onChange={(type) => onChange({ type: (type ?? undefined) as LogSearch['type'] })}
      clearable
      flex="1 1 140px"
      maw={200}
    />
  )
}

const isCustom = ({ from, to }: LogSearch) => from !== undefined || to !== undefined

/** A custom time range starts with the last day, which the user can then narrow. */
function timeOf(value: string | null): LogSearch {
  const none = { period: undefined, from: undefined, to: undefined }
  if (value === null) return none
  if (value !== 'custom') return { ...none, period: value as NonNullable<LogSearch['period']> }
  return { ...none, from: new Date(Date.now() - DAY_MS).toISOString() }
}

function TimeFilter({ search, onChange }: FilterProps) {
  return (
    <Select
      aria-label="Time"
      placeholder="Any time"
      data={TIMES}
      value={search.period ?? (isCustom(search) ? 'custom' : null)}
      onChange={(value) => onChange(timeOf(value))}
      clearable
      flex="1 1 140px"
      maw={160}
    />
  )
}

function DateTimeField({ label, ...input }: { label: string } & TextInputProps) {
  return (
    <TextInput
      {...input}
      type="datetime-local"
      step={1}
      aria-label={label}
      leftSection={
        <span className="muted small" aria-hidden>
          {label}
        </span>
      }
      leftSectionWidth={48}
      flex="1 1 200px"
      maw={256}
    />
  )
}

function DateTimeFields({ search, onChange }: FilterProps) {
  const [from, to] = [toLocalField(search.from), toLocalField(search.to)]
  return (
    <>
      <DateTimeField
        label="From"
        value={from}
        max={to}
        onChange={({ currentTarget }) => onChange({ from: fromLocalField(currentTarget.value) })}
      />
      <DateTimeField
        label="To"
        value={to}
        min={from}
        onChange={({ currentTarget }) => onChange({ to: fromLocalField(currentTarget.value) })}
      />
    </>
  )
}

export function LogFilterBar(props: FilterProps) {
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([['f', () => field.current?.focus()]])
  return (
    <Group gap={8}>
      <StateFilter {...props} field={field} />
      <TypeFilter {...props} />
      <TimeFilter {...props} />
      {isCustom(props.search) && <DateTimeFields {...props} />}
    </Group>
  )
}
