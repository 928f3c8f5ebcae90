// Chooses the linked records of an activity, of any object.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type CrmObject, objectsQuery } from '../../../shared/api/objects.ts'
import { recordNameQuery } from '../../../shared/api/record-names.ts'
import { everythingQuery } from '../../../shared/api/search.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { nothingFound } from '../../../shared/values/reference-picker.tsx'
import { useHints } from '../../../shared/values/use-hints.ts'
import { type Option, TYPING_MS } from '../../../ui/found-options.ts'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { type Nouns, useTyping } from '../../../ui/use-open-text.tsx'
import type { RecordRef } from '../api.ts'
import { recordKey, recordOf } from '../list/keys.ts'

const NOUNS: Nouns = { one: 'record', many: 'records' }

interface Group {
  group: string
  items: Option[]
}

function useChosenRecords(value: readonly RecordRef[]): Option[] {
  const org = useOrg()
  const names = useQueries({ queries: value.map((ref) => recordNameQuery(org, ref)) })
  return value.map((ref, index) => ({ value: recordKey(ref), label: names[index]?.data ?? '…' }))
}

function grouped(objects: readonly CrmObject[], options: readonly Option[]): Group[] {
  const byObject = Map.groupBy(options, ({ value }) => recordOf(value).objectId)
  return [...byObject].map(([objectId, items]) => ({
    group: objects.find(({ id }) => id === objectId)?.pluralName ?? 'Records',
    items,
  }))
}

function useRecordOptions(value: readonly RecordRef[], text: string) {
  const org = useOrg()
  const [query] = useDebouncedValue(text.trim(), TYPING_MS)
  const { data: objects = [] } = useQuery(objectsQuery(org))
  const hits = useQuery({
    ...everythingQuery(org, query),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  })
  const chosen = useChosenRecords(value)
  const keys = new Set(value.map(recordKey))
  const records = query === '' ? [] : (hits.data?.records ?? [])
  const hints = useHints(records)
  const options = records.map((hit, index) => ({
    value: recordKey(hit),
    label: hit.name,
    hint: hints[index],
  }))
  const found = {
    options,
    isFresh: hits.data !== undefined && !hits.isPlaceholderData && query === text.trim(),
    isPartial: hits.data?.isComplete === false,
    isFailed: hits.isError,
    retry: () => void hits.refetch(),
  }
  const others = options.filter((option) => !keys.has(option.value))
  return {
    found,
    data: grouped(objects, [...chosen, ...others]),
    nothingFoundMessage: text.trim() === '' ? 'Type part of a name' : nothingFound(found, NOUNS),
  }
}

interface RecordsPickerProps {
  value: readonly RecordRef[]
  onChange(value: RecordRef[]): void
}

export function RecordsPicker({ value, onChange }: RecordsPickerProps) {
  const typing = useTyping()
  const options = useRecordOptions(value, typing.text ?? '')
  return (
    <MultiPicker
      {...options}
      label="Linked records"
      placeholder={value.length === 0 ? 'Companies, people, deals …' : ''}
      typing={typing}
      nouns={NOUNS}
      value={value.map(recordKey)}
      onChange={(keys) => onChange(keys.map(recordOf))}
    />
  )
}
