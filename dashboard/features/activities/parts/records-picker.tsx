// Records an activity is about, of any object.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CrmObject, objectsQuery } from '../../../shared/api/objects.ts'
import { recordNameQuery } from '../../../shared/api/record-names.ts'
import { everythingQuery } from '../../../shared/api/search.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type Option, TYPING_MS } from '../../../shared/values/found-options.ts'
import type { RecordRef } from '../api.ts'
import { FoundSelect } from './found-select.tsx'
import { recordKey, recordOf } from './keys.ts'

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
  const found = query === '' ? [] : (hits.data?.records ?? [])
  const others = found
    .map((hit) => ({ value: recordKey(hit), label: hit.name }))
    .filter((option) => !keys.has(option.value))
  const message = query === '' ? 'Type part of a name' : 'No matching records'
  return {
    data: grouped(objects, [...chosen, ...others]),
    message: hits.isFetching ? 'Searching…' : message,
    isFresh: hits.isSuccess && !hits.isPlaceholderData && query === text.trim(),
  }
}

interface RecordsPickerProps {
  value: readonly RecordRef[]
  onChange(value: RecordRef[]): void
}

export function RecordsPicker({ value, onChange }: RecordsPickerProps) {
  const [text, setText] = useState('')
  const { data, message, isFresh } = useRecordOptions(value, text)
  return (
    <FoundSelect
      label="Linked records"
      placeholder="Companies, people, deals …"
      data={data}
      value={value.map(recordKey)}
      onChange={(keys) => onChange(keys.map(recordOf))}
      text={text}
      onText={setText}
      nothingFound={message}
      isFresh={isFresh}
    />
  )
}
