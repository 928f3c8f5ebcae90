// Finds records of the object that a reference may point to, by their name.
import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { objectQuery } from '../../api/objects.ts'
import { recordNameQuery } from '../../api/record-names.ts'
import { searchQuery } from '../../api/records.ts'
import { useOrg } from '../use-organization.ts'
import { asFound, type Option, TYPING_MS } from './found-options.ts'

const FOUND = 20

/** The first records of the object whose name has the text in it. */
export function useFoundRecords(objectId: string, text: string): { options: Option[]; isPending: boolean } {
  const org = useOrg()
  const [query] = useDebouncedValue(text.trim(), TYPING_MS)
  const object = useQuery(objectQuery(org, objectId))
  const naming = namingAttribute(object.data?.attributes ?? [])
  const slug = naming?.slug
  const body = {
    ...(query && slug && { filters: [{ attributeSlug: slug, operator: 'contains', value: query }] }),
    ...(slug && { sort: { field: slug, order: 'asc' as const } }),
    limit: FOUND,
    count: false,
  }
  const found = useQuery({
    ...searchQuery(org, objectId, body),
    enabled: object.isSuccess,
    placeholderData: keepPreviousData,
  })
  const options = (found.data?.records ?? []).map((record) => ({
    value: record.id,
    label: recordName(naming, record),
  }))
  return { options, isPending: found.isPending }
}

/** The chosen records come first, so that they keep their names while something else is looked for. */
function useChosen(objectId: string, ids: readonly string[]): Option[] {
  const org = useOrg()
  const names = useQueries({
    queries: ids.map((recordId) => recordNameQuery(org, { objectId, recordId })),
  })
  return ids.map((value, index) => ({ value, label: names[index]?.data ?? '…' }))
}

function useOptions(objectId: string, ids: readonly string[]) {
  const [text, setText] = useState('')
  const chosen = useChosen(objectId, ids)
  const isName = chosen.some(({ label }) => label === text)
  const { options, isPending } = useFoundRecords(objectId, isName ? '' : text)
  const others = options.filter(({ value }) => !ids.includes(value))
  return { data: [...chosen, ...others], text, setText, isPending }
}

export interface PickerProps {
  objectId: string
  label?: string | undefined
  'aria-label'?: string | undefined
  error?: string | undefined
  required?: boolean | undefined
  autoFocus?: boolean | undefined
}

export function ReferencePicker({
  objectId,
  value,
  onChange,
  ...field
}: PickerProps & { value: string | null; onChange(value: string | null): void }) {
  const { data, setText, isPending } = useOptions(objectId, value ? [value] : [])
  return (
    <Select
      {...field}
      data-autofocus={field.autoFocus || undefined}
      data={data}
      value={value}
      onChange={onChange}
      searchable
      clearable
      filter={asFound}
      onSearchChange={setText}
      nothingFoundMessage={isPending ? 'Looking…' : 'No record has this in its name'}
      comboboxProps={{ withinPortal: true }}
    />
  )
}

export function ReferencesPicker({
  objectId,
  value,
  onChange,
  ...field
}: PickerProps & { value: string[]; onChange(value: string[]): void }) {
  const { data, text, setText, isPending } = useOptions(objectId, value)
  return (
    <MultiSelect
      {...field}
      data={data}
      value={value}
      onChange={onChange}
      searchable
      clearable
      filter={asFound}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={isPending ? 'Looking…' : 'No record has this in its name'}
    />
  )
}
