// The list of values that a template can read here, with examples, and of template functions.
import { ActionIcon, Combobox, type ComboboxStore, Text, useCombobox } from '@mantine/core'
import { Braces } from 'lucide-react'
import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { WorkflowFunction } from '../../../../contract/workflow-functions.ts'
import { useFormPlace } from './form-context.ts'
import { callOf, searchFunctions } from './function-calls.ts'
import { shortText } from './template-preview.ts'
import {
  type Edit,
  insertCall,
  insertValue,
  pathOf,
  type Range,
  templateBefore,
  withoutOpened,
} from './template-text.ts'
import { searchValues, type ValueEntry } from './visible-values.ts'

/** Prefix of function names. Paths contain no space, so they cannot begin with it. */
const CALL = 'call '

interface Writing {
  text: string
  selection(): Range
  /** Changes the text, and focuses the field. */
  apply(edit: Edit): void
  /** Changes the text without focusing the field. */
  change(text: string): void
}

interface Picker {
  store: ComboboxStore
  /** Opens the list after typed braces. */
  open(): void
  /** @param picked an expression, or a call of a function */
  pick(picked: string): void
}

function editFor({ text, selection }: Writing, picked: string): Edit | undefined {
  const range = selection()
  return picked.startsWith(CALL)
    ? insertCall(text, range.end, callOf(picked.slice(CALL.length) as WorkflowFunction))
    : insertValue(text, range, picked)
}

/** Whether the closing list had the focus, so that it must return to the field. */
const isLost = ({ searchRef }: ComboboxStore) =>
  document.activeElement === searchRef.current || document.activeElement === document.body

/**
 * The state of the list. If nothing is picked, the braces that opened the list are removed.
 * @param goBack returns the focus to the field when the list closes
 */
export function useValuePicker(writing: Writing, goBack: () => void): Picker {
  const isByBraces = useRef(false)
  const store: ComboboxStore = useCombobox({
    onDropdownClose: () => {
      store.resetSelectedOption()
      const edit = isByBraces.current ? withoutOpened(writing.text, writing.selection().end) : undefined
      isByBraces.current = false
      if (edit && isLost(store)) writing.apply(edit)
      else if (edit) writing.change(edit.text)
      else if (isLost(store)) goBack()
    },
  })
  return {
    store,
    open: () => {
      isByBraces.current = true
      store.openDropdown()
    },
    pick: (picked) => {
      const edit = editFor(writing, picked)
      isByBraces.current = false
      store.closeDropdown()
      if (edit) writing.apply(edit)
    },
  }
}

interface ValuePickerProps extends Pick<Picker, 'store' | 'pick'>, Pick<Writing, 'text' | 'selection'> {}

function ValueOption({ expression, label, sample, depth }: ValueEntry) {
  return (
    <Combobox.Option value={expression} className="row between gap-12" title={label}>
      <Text span inherit truncate className="fixed" maw="60%" pl={depth * 12}>
        {label}
      </Text>
      <Text span truncate size="xs">
        {shortText(sample)}
      </Text>
    </Combobox.Option>
  )
}

function FunctionOptions({ search }: { search: string }) {
  return [...searchFunctions(search)].map(([group, entries]) => (
    <Combobox.Group key={group} label={`Functions: ${group.toLowerCase()}`}>
      {entries.map(({ name, description, example }) => (
        <Combobox.Option
          key={name}
          value={CALL + name}
          className="stack"
          title={example.replaceAll(/[{}]/g, '')}
        >
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

/** A path that the user has typed completely: `trigger.data.name}}`. */
const WRITTEN = /^(.*?)\s*\}\}$/s

function PickerList({ store, text, selection, pick }: ValuePickerProps) {
  const [search, setSearch] = useState('')
  const listId = useId()
  const hasFunctions = templateBefore(text, selection().end) !== undefined
  const selectFirst = useEffectEvent((found: string) => {
    store.resetSelectedOption()
    if (found !== '') store.selectFirstOption()
  })
  // Before the next event, so that Enter chooses the first match even if pressed quickly.
  useLayoutEffect(() => selectFirst(search), [search])
  const { searchRef } = store
  // Before the next event, so that the next key press goes into this field.
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
        onChange={({ currentTarget: { value } }) => {
          const written = WRITTEN.exec(value)?.[1]?.trim()
          if (written) pick(written)
          else setSearch(value)
        }}
        onKeyDown={({ key }) => {
          const isWritten = key === 'Enter' && pathOf(search) !== undefined && search.includes('.')
          if (isWritten && store.getSelectedOptionIndex() < 0) pick(search.trim())
        }}
      />
      <Options id={listId} search={search} hasFunctions={hasFunctions} />
    </>
  )
}

export function ValuePicker(props: ValuePickerProps) {
  const { store, pick } = props
  return (
    <Combobox store={store} onOptionSubmit={pick} width={340} position="bottom-end" shadow="md">
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <ActionIcon
          aria-label="Insert a value"
          title="Insert a value"
          aria-haspopup="listbox"
          aria-expanded={store.dropdownOpened}
          onClick={() => store.toggleDropdown()}
        >
          <Braces size={14} aria-hidden />
        </ActionIcon>
      </Combobox.Target>
      <Combobox.Dropdown>{store.dropdownOpened && <PickerList {...props} />}</Combobox.Dropdown>
    </Combobox>
  )
}
