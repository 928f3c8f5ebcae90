// Finds records of the object that a reference may point to, by their name.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { MultiPicker } from '../../ui/multi-picker.tsx'
import { onMultiPickerKey, onPickerKey } from '../../ui/picker-keys.ts'
import { objectQuery } from '../api/objects.ts'
import { recordNameQuery } from '../api/record-names.ts'
import { searchQuery } from '../api/records.ts'
import { useOrg } from '../use-organization.ts'
import { asFound, type Found, type Option, TYPING_MS } from './found-options.ts'
import { OnePicker } from './one-picker.tsx'
import { CREATE, useCreateChoice } from './use-create-choice.tsx'
import { useFirstMatch } from './use-first-match.ts'

const FOUND = 20

/** The first records of the object that have the words of the text. */
export function useFoundRecords(objectId: string, text: string): Found {
  const org = useOrg()
  const [query] = useDebouncedValue(text.trim(), TYPING_MS)
  const object = useQuery(objectQuery(org, objectId))
  const naming = namingAttribute(object.data?.attributes ?? [])
  const slug = naming?.slug
  const body = {
    ...(query && { q: query }),
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
  return { options, isFresh: found.isSuccess && !found.isPlaceholderData && query === text.trim() }
}

/** The chosen records come first, so that they keep their names while something else is looked for. */
function useChosen(objectId: string, ids: readonly string[]): Option[] {
  const org = useOrg()
  const names = useQueries({
    queries: ids.map((recordId) => recordNameQuery(org, { objectId, recordId })),
  })
  return ids.map((value, index) => ({ value, label: names[index]?.data ?? '…' }))
}

/** Options for what is typed; the name of what is chosen is not typed. */
function useOptions(objectId: string, ids: readonly string[]) {
  const [shown, setText] = useState('')
  const chosen = useChosen(objectId, ids)
  const text = chosen.some(({ label }) => label === shown) ? '' : shown
  const found = useFoundRecords(objectId, text)
  const others = found.options.filter(({ value }) => !ids.includes(value))
  const message = found.isFresh ? 'No matching records' : 'Searching…'
  return { data: [...chosen, ...others], found, text, setText, message }
}

export interface PickerProps {
  objectId: string
  label?: ReactNode
  description?: string | undefined
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
  const { data, found, text, setText, message } = useOptions(objectId, value ? [value] : [])
  const [isOpen, setOpen] = useState(false)
  const choose = (id: string) => {
    setOpen(false)
    onChange(id)
  }
  const creation = useCreateChoice(objectId, found.isFresh ? text : '', choose)
  const firstMatch = useFirstMatch({ text, found, choose, onKey: onPickerKey })
  return (
    <>
      <OnePicker
        {...field}
        {...firstMatch}
        data={[...data, ...creation.options]}
        value={value}
        onChange={(chosen) => (chosen === CREATE ? creation.start() : onChange(chosen))}
        isMatch={(option) =>
          option.value === CREATE || found.options.some((one) => one.value === option.value)
        }
        onSearchChange={setText}
        nothingFoundMessage={message}
        dropdownOpened={isOpen}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
      />
      {creation.form}
    </>
  )
}

export function ReferencesPicker({
  objectId,
  value,
  onChange,
  ...field
}: PickerProps & { value: string[]; onChange(value: string[]): void }) {
  const { data, found, text, setText, message } = useOptions(objectId, value)
  const options = found.options.filter((one) => !value.includes(one.value))
  const choose = (id: string) => {
    setText('')
    onChange([...value, id])
  }
  const creation = useCreateChoice(objectId, found.isFresh ? text : '', choose)
  const firstMatch = useFirstMatch({ text, found: { ...found, options }, choose, onKey: onMultiPickerKey })
  return (
    <>
      <MultiPicker
        {...field}
        {...firstMatch}
        data={[...data, ...creation.options]}
        value={value}
        onChange={(chosen) => (chosen.includes(CREATE) ? creation.start() : onChange(chosen))}
        clearable
        filter={asFound}
        searchValue={text}
        onSearchChange={setText}
        nothingFoundMessage={message}
      />
      {creation.form}
    </>
  )
}
