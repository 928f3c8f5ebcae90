// Edits the options of a new select attribute: typed in rows, moved, or pasted as lines.

import { ActionIcon, Box, Button, Input, TextInput } from '@mantine/core'
import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { OPTION } from '../../../../contract/attribute-types/select.ts'
import { moved } from '../../../ui/moved.ts'
import { tooLong } from '../../../ui/too-long.ts'
import { pasted, repeated } from './option-list.ts'

interface OptionsEditorProps {
  value: readonly string[]
  onChange(value: readonly string[]): void
  error?: string | undefined
}

interface OptionRowProps extends OptionsEditorProps {
  index: number
  /** Adds an empty option after this one. */
  onEnter(): void
}

function OptionInput({ value, onChange, index, onEnter }: OptionRowProps) {
  const paste = (event: ClipboardEvent) => {
    const next = pasted(value, index, event.clipboardData.getData('text'))
    if (!next) return
    event.preventDefault()
    onChange(next)
  }
  const press = (event: KeyboardEvent) => {
    // Ctrl+Enter or ⌘+Enter submits the form.
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onEnter()
  }
  return (
    <TextInput
      flex={1}
      mr={4}
      aria-label={`Option ${index + 1}`}
      value={value[index] ?? ''}
      onChange={({ currentTarget }) => onChange(value.with(index, currentTarget.value))}
      onPaste={paste}
      onKeyDown={press}
      error={tooLong(value[index] ?? '', OPTION.maxLength)}
      autoComplete="off"
    />
  )
}

function OptionRow(props: OptionRowProps) {
  const { value, onChange, index } = props
  const name = value[index] || `option ${index + 1}`
  return (
    <li className="row gap-2">
      <OptionInput {...props} />
      <ActionIcon
        aria-label={`Move ${name} up`}
        disabled={index === 0}
        onClick={() => onChange(moved(value, index, index - 1))}
      >
        <ChevronUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={`Move ${name} down`}
        disabled={index === value.length - 1}
        onClick={() => onChange(moved(value, index, index + 1))}
      >
        <ChevronDown size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={`Remove ${name}`} onClick={() => onChange(value.toSpliced(index, 1))}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}

/** Focuses an added field after it is rendered. */
function useFocusAdded() {
  const list = useRef<HTMLUListElement>(null)
  return {
    list,
    focus: (index: number) =>
      requestAnimationFrame(() => list.current?.querySelectorAll('input')[index]?.focus()),
  }
}

export function OptionsEditor({ value, onChange, error }: OptionsEditorProps) {
  const { list, focus } = useFocusAdded()
  const twice = repeated(value)
  const add = (index: number) => {
    onChange(value.toSpliced(index, 0, ''))
    focus(index)
  }
  return (
    <Input.Wrapper
      component="fieldset"
      label="Options"
      labelElement="div"
      description="In this order in menus and on boards; paste several lines to add several options"
      error={twice === undefined ? error : `“${twice}” is listed twice`}
    >
      <Box component="ul" ref={list} className="stack gap-4" my={8} aria-label="Options">
        {value.map((_, index) => {
          const row = { value, onChange, index, onEnter: () => add(index + 1) }
          // biome-ignore lint/suspicious/noArrayIndexKey: what is being typed has no identity but its place
          return <OptionRow key={index} {...row} />
        })}
      </Box>
      <Button
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => add(value.length)}
      >
        Add option
      </Button>
    </Input.Wrapper>
  )
}
