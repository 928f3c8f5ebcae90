// The list of values that a template can read here, with examples, and of the functions that shape them.
import { ActionIcon, Combobox, type ComboboxStore, Text, useCombobox } from '@mantine/core'
import { Braces } from 'lucide-react'
import { useEffectEvent, useId, useLayoutEffect, useState } from 'react'
import type { WorkflowFunction } from '../../../../../contract/workflow-functions.ts'
import { useFormPlace } from './form-context.ts'
import { callOf, searchFunctions } from './function-calls.ts'
import { shortText } from './template-preview.ts'
import { type Edit, insertCall, insertValue, type Range, templateBefore } from './template-text.ts'
import { searchValues, type ValueEntry } from './visible-values.ts'

/** @param goBack the focus goes back to what is written in when the list is left by Esc */
export function usePicker(goBack: () => void): ComboboxStore {
  const store: ComboboxStore = useCombobox({
    onDropdownClose: (source) => {
      store.resetSelectedOption()
      if (source === 'keyboard') goBack()
    },
  })
  return store
}

interface ValuePickerProps {
  store: ComboboxStore
  text: string
  selection(): Range
  apply(edit: Edit): void
}

function ValueOption({ expression, label, sample, depth }: ValueEntry) {
  return (
    <Combobox.Option value={expression} className="row between gap-12" title={`{{${expression}}}`}>
      <Text span inherit truncate className="fixed" maw="60%" pl={depth * 12}>
        {label}
      </Text>
      <Text span truncate size="xs">
        {shortText(sample)}
      </Text>
    </Combobox.Option>
  )
}

/** Told apart from paths, which have none. */
const CALL = 'call '

function FunctionOptions({ search }: { search: string }) {
  return [...searchFunctions(search)].map(([group, entries]) => (
    <Combobox.Group key={group} label={`Functions: ${group.toLowerCase()}`}>
      {entries.map(({ name, description, example }) => (
        <Combobox.Option key={name} value={CALL + name} className="stack" title={example}>
          <code>{name}</code>
          <Text span size="xs">
            {description}
          </Text>
        </Combobox.Option>
      ))}
    </Combobox.Group>
  ))
}

interface OptionsProps {
  id: string
  search: string
  hasFunctions: boolean
}

function Options({ id, search, hasFunctions }: OptionsProps) {
  const { values } = useFormPlace()
  const groups = searchValues(values, search)
  const isEmpty = groups.length === 0 && !(hasFunctions && searchFunctions(search).size > 0)
  return (
    <Combobox.Options id={id} className="scroll" mah={320} aria-label="Values">
      {groups.map(({ title, entries }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have one name
        <Combobox.Group key={index} label={title}>
          {entries.map((entry) => (
            <ValueOption key={entry.expression} {...entry} />
          ))}
        </Combobox.Group>
      ))}
      {hasFunctions && <FunctionOptions search={search} />}
      {isEmpty && <Combobox.Empty>No results</Combobox.Empty>}
    </Combobox.Options>
  )
}

function PickerList({ store, text, selection }: Omit<ValuePickerProps, 'apply'>) {
  const [search, setSearch] = useState('')
  const listId = useId()
  const hasFunctions = templateBefore(text, selection().end) !== undefined
  const selectFirst = useEffectEvent((found: string) => {
    store.resetSelectedOption()
    if (found !== '') store.selectFirstOption()
  })
  // In the same turn as the text: Enter takes the first match, however soon it is pressed.
  useLayoutEffect(() => selectFirst(search), [search])
  const { searchRef } = store
  // In the same turn as what opens it: the next key is typed here.
  useLayoutEffect(() => searchRef.current?.focus({ preventScroll: true }), [searchRef])
  return (
    <>
      <Combobox.Search
        value={search}
        placeholder="Find a value"
        aria-label="Find a value"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Options id={listId} search={search} hasFunctions={hasFunctions} />
    </>
  )
}

export function ValuePicker({ store, text, selection, apply }: ValuePickerProps) {
  const pick = (picked: string) => {
    store.closeDropdown()
    const range = selection()
    const edit = picked.startsWith(CALL)
      ? insertCall(text, range.end, callOf(picked.slice(CALL.length) as WorkflowFunction))
      : insertValue(text, range, picked)
    if (edit) apply(edit)
  }
  return (
    <Combobox store={store} onOptionSubmit={pick} width={340} position="bottom-end" shadow="md">
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <ActionIcon
          aria-label="Insert a value"
          title="Insert a value: type {{"
          aria-haspopup="listbox"
          aria-expanded={store.dropdownOpened}
          onClick={() => store.toggleDropdown()}
        >
          <Braces size={14} aria-hidden />
        </ActionIcon>
      </Combobox.Target>
      <Combobox.Dropdown>
        {store.dropdownOpened && <PickerList store={store} text={text} selection={selection} />}
      </Combobox.Dropdown>
    </Combobox>
  )
}
