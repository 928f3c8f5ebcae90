// Above the activities: search, filters, and a chip that removes each active filter.

import { Button, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { ListFilter, ListTodo, Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { SEARCH_TEXT_MAX } from '../../../../contract/limits.ts'
import { FilterPopover } from '../../../shared/filters/filter-popover.tsx'
import { formatDay } from '../../../shared/values/format.ts'
import { useRecordName } from '../../../shared/values/record-chip.tsx'
import { tooLong } from '../../../ui/too-long.ts'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { ACTIVITY_KINDS } from '../activity-icons.ts'
import { type ActivitySearch, MY_TASKS, recordIn } from '../activity-search.ts'
import { FilterFields, useObjectChoices, usePeople } from './filter-fields.tsx'

interface FilterBarProps {
  search: ActivitySearch
  onChange(change: Partial<ActivitySearch>): void
}

const TYPING_MS = 250

function SearchField({ search, onChange }: FilterBarProps) {
  const [text, setText] = useState(search.q ?? '')
  const field = useRef<HTMLInputElement>(null)
  const apply = useDebouncedCallback((q: string) => onChange({ q: q.trim() || undefined }), TYPING_MS)
  useShortcuts([['/', () => field.current?.focus()]])
  useEffect(() => {
    // When the search is cleared elsewhere, the field is cleared too.
    if (search.q === undefined && document.activeElement !== field.current) setText('')
  }, [search.q])
  return (
    <Tooltip label="Search (/)">
      <TextInput
        ref={field}
        type="search"
        aria-label="Search activities"
        placeholder="Search"
        leftSection={<Search size={14} aria-hidden />}
        flex="0 1 220px"
        miw={140}
        value={text}
        error={tooLong(text, SEARCH_TEXT_MAX)}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          if (!tooLong(currentTarget.value, SEARCH_TEXT_MAX)) apply(currentTarget.value)
        }}
      />
    </Tooltip>
  )
}

function FilterButton({ search, onChange }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  useShortcuts([['f', () => setOpen(true)]])
  const target = (
    <Tooltip label="Filter (F)" disabled={isOpen}>
      <Button
        variant="default"
        size="sm"
        leftSection={<ListFilter size={14} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        Filter
      </Button>
    </Tooltip>
  )
  return (
    <FilterPopover isOpen={isOpen} onClose={() => setOpen(false)} label="Filters" target={target}>
      <FilterFields search={search} onChange={onChange} />
    </FilterPopover>
  )
}

/** Shows the open tasks of the signed-in user; a second click shows everything. */
function MyTasksButton({ search, onChange }: FilterBarProps) {
  const isShown = search.assignee === MY_TASKS.assignee && search.tasks === MY_TASKS.tasks
  return (
    <Button
      variant={isShown ? 'light' : 'default'}
      size="sm"
      leftSection={<ListTodo size={14} aria-hidden />}
      aria-pressed={isShown}
      onClick={() => onChange(isShown ? { assignee: undefined, tasks: undefined } : MY_TASKS)}
    >
      My tasks
    </Button>
  )
}

const FILTER = { maxWidth: '100%', height: 28, padding: '0 8px', background: 'var(--surface-selected)' }

function SetFilter({ children, onClear }: { children: string; onClear(): void }) {
  return (
    <button type="button" className="inline gap-6 small rounded" style={FILTER} onClick={onClear}>
      <span className="truncate">{children}</span>
      <X size={12} aria-hidden />
      <span className="visually-hidden">: remove this filter</span>
    </button>
  )
}

function RecordFilter({ search, onChange }: FilterBarProps) {
  const ref = recordIn(search) ?? { objectId: '', recordId: '' }
  const name = useRecordName(ref)
  return <SetFilter onClear={() => onChange({ record: undefined })}>{`Linked to ${name ?? '…'}`}</SetFilter>
}

const labelOf = (choices: readonly { value: string; label: string }[], value: string) =>
  choices.find((choice) => choice.value === value)?.label ?? '…'

function useSetFilters({
  type,
  tasks,
  by,
  assignee,
  object,
  from,
  to,
}: ActivitySearch): [keyof ActivitySearch, string][] {
  const people = usePeople()
  const objects = useObjectChoices()
  const set: [keyof ActivitySearch, string | undefined][] = [
    ['type', type && `Type is ${ACTIVITY_KINDS[type].name.toLowerCase()}`],
    ['tasks', tasks && (tasks === 'open' ? 'Open tasks' : 'Done tasks')],
    ['by', by && (by === 'me' ? 'Written by me' : `Written by ${labelOf(people, by)}`)],
    [
      'assignee',
      assignee && (assignee === 'me' ? 'Assigned to me' : `Assigned to ${labelOf(people, assignee)}`),
    ],
    ['object', object && `Linked to ${labelOf(objects, object).toLowerCase()}`],
    ['from', from && `From ${formatDay(from)}`],
    ['to', to && `To ${formatDay(to)}`],
  ]
  return set.filter((one): one is [keyof ActivitySearch, string] => one[1] !== undefined)
}

export function FilterBar(props: FilterBarProps) {
  const { search, onChange } = props
  const set = useSetFilters(search)
  return (
    <div className="row wrap gap-8">
      <SearchField {...props} />
      <FilterButton {...props} />
      <MyTasksButton {...props} />
      {set.map(([key, label]) => (
        <SetFilter key={key} onClear={() => onChange({ [key]: undefined })}>
          {label}
        </SetFilter>
      ))}
      {search.record && <RecordFilter {...props} />}
    </div>
  )
}
