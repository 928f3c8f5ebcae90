// Finds records of the target object of a reference, by name.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { type Found, type Option, TYPING_MS } from '../../ui/found-options.ts'
import { MultiPicker } from '../../ui/multi-picker.tsx'
import { type Nouns, useTyping } from '../../ui/use-open-text.tsx'
import { objectQuery } from '../api/objects.ts'
import { recordNameQuery } from '../api/record-names.ts'
import { searchQuery } from '../api/records.ts'
import { useOrg } from '../use-organization.ts'
import { OnePicker } from './one-picker.tsx'
import { CREATE, useCreateChoice } from './use-create-choice.tsx'
import { useHints } from './use-hints.ts'

const FOUND = 20

const NOUNS: Nouns = { one: 'record', many: 'records' }

export interface FoundRecords extends Found {
  /** The nouns for the records, for texts. */
  nouns: Nouns
}

/** The first records of the object that contain the words of the text. */
export function useFoundRecords(objectId: string, text: string): FoundRecords {
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
  const records = found.data?.records ?? []
  const hints = useHints(records.map(({ id: recordId }) => ({ objectId, recordId })))
  const options = records.map((record, index) => ({
    value: record.id,
    label: recordName(naming, record),
    hint: hints[index],
  }))
  const { singularName, pluralName } = object.data ?? {}
  return {
    options,
    // Earlier results for the text stay valid if a further search fails.
    isFresh: found.data !== undefined && !found.isPlaceholderData && query === text.trim(),
    isFailed: found.isError || object.isError,
    retry: () => void (object.isError ? object.refetch() : found.refetch()),
    nouns:
      singularName && pluralName
        ? { one: singularName.toLowerCase(), many: pluralName.toLowerCase() }
        : NOUNS,
  }
}

/** Options for the chosen records. They come first, so that their names stay while the user searches. */
function useChosen(objectId: string, ids: readonly string[]): Option[] {
  const org = useOrg()
  const names = useQueries({
    queries: ids.map((recordId) => recordNameQuery(org, { objectId, recordId })),
  })
  return ids.map((value, index) => ({ value, label: names[index]?.data ?? '…' }))
}

/** The text of a list without options. */
export function nothingFound({ isFresh, isFailed = false }: Found, { many }: Nouns): string {
  if (isFresh) return `No matching ${many}`
  return isFailed ? `The ${many} could not be searched` : 'Searching…'
}

/** The options for the typed text. `ids`: the chosen records. */
function useOptions(objectId: string, ids: readonly string[], choose: (id: string) => void, isOne: boolean) {
  const typing = useTyping()
  const chosen = useChosen(objectId, ids)
  const { text = '' } = typing
  // A picker with one choice shows the name of the chosen record, which is not typed text. With several choices, the
  // same text may name another record.
  const typed = isOne && chosen.some(({ label }) => label === text) ? '' : text
  const { nouns, ...found } = useFoundRecords(objectId, typed)
  const hinted = new Map(found.options.map((one) => [one.value, one]))
  const others = found.options.filter(({ value }) => !ids.includes(value))
  const creation = useCreateChoice(objectId, found.isFresh ? typed : '', (id) => {
    typing.set(undefined)
    choose(id)
  })
  return {
    creation,
    picker: {
      ...{ typing, found, nouns },
      data: [...chosen.map((one) => hinted.get(one.value) ?? one), ...others, ...creation.options],
      offer: creation.offer,
      nothingFoundMessage: nothingFound(found, nouns),
    },
  }
}

export interface PickerProps {
  objectId: string
  label?: ReactNode
  description?: string | undefined
  'aria-label'?: string | undefined
  placeholder?: string | undefined
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
  const { picker, creation } = useOptions(objectId, value ? [value] : [], onChange, true)
  return (
    <>
      <OnePicker
        {...field}
        {...picker}
        value={value}
        onChange={(chosen) => (chosen === CREATE ? creation.start() : onChange(chosen))}
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
  const { picker, creation } = useOptions(objectId, value, (id) => onChange([...value, id]), false)
  return (
    <>
      <MultiPicker
        {...field}
        {...picker}
        value={value}
        onChange={(chosen) => (chosen.includes(CREATE) ? creation.start() : onChange(chosen))}
        clearable
      />
      {creation.form}
    </>
  )
}
