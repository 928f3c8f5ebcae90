// Searches all text-like attributes for a text, during typing.

import { CloseButton, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { SEARCH_TEXT_MAX } from '../../../../contract/limits.ts'
import { tooLong } from '../../../ui/too-long.ts'

const TYPING_MS = 200

interface QuickSearchProps {
  ref: RefObject<HTMLInputElement | null>
  value: string
  label: string
  onChange(value: string): void
}

export function QuickSearch({ ref, value, label, onChange }: QuickSearchProps) {
  const [draft, setDraft] = useState(value)
  const [last, setLast] = useState(value)
  const [sent, setSent] = useState(value)
  if (last !== value) {
    setLast(value)
    // The value was not typed here: the user went back, or opened a view. Otherwise newer text in the field stays.
    if (value !== sent) {
      setSent(value)
      setDraft(value)
    }
  }
  const send = useDebouncedCallback((text: string) => {
    setSent(text.trim())
    onChange(text.trim())
  }, TYPING_MS)
  const set = (text: string) => {
    setDraft(text)
    if (!tooLong(text, SEARCH_TEXT_MAX)) send(text)
  }
  return (
    <Tooltip label="Quick search (/)">
      <TextInput
        ref={ref}
        type="search"
        size="xs"
        w={{ base: 'auto', sm: 200 }}
        flex={{ base: '1 0 120px', sm: 'none' }}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder="Quick search"
        error={tooLong(draft, SEARCH_TEXT_MAX)}
        leftSection={<Search size={14} aria-hidden />}
        rightSection={
          draft !== '' && <CloseButton size="xs" aria-label="Clear quick search" onClick={() => set('')} />
        }
        value={draft}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          set('')
          event.currentTarget.blur()
        }}
      />
    </Tooltip>
  )
}
