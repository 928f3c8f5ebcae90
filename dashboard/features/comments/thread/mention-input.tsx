// A text field for mentioning members: `@` opens a list of members.
import { Combobox, type ComboboxStore, Textarea, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { membersQuery } from '../../../shared/api/members.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type Mentionable, matching, mentionables, queryAt, withMention } from './mention-text.ts'

const SHOWN_MAX = 6

export function useMentionables(): Mentionable[] {
  const { data } = useQuery(membersQuery(useOrg()))
  return useMemo(() => mentionables(data?.map(({ user }) => user) ?? []), [data])
}

interface MentionInputProps {
  label: string
  value: string
  onChange(value: string): void
  onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void
  placeholder?: string
  autoFocus?: boolean
}

/** The mention being typed, the matching members, and a function that inserts one. */
function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  { value, onChange }: Pick<MentionInputProps, 'value' | 'onChange'>,
) {
  const members = useMentionables()
  const [cursor, setCursor] = useState(0)
  const [isClosed, setClosed] = useState(false)
  const moveTo = useRef<number>(undefined)
  const query = isClosed ? undefined : queryAt(value, cursor)
  const found = query ? matching(members, query).slice(0, SHOWN_MAX) : []
  // The field contains the inserted name only after rendering.
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return
    field.current?.setSelectionRange(moveTo.current, moveTo.current)
    moveTo.current = undefined
  })
  const choose = (id: string) => {
    const member = found.find((one) => one.id === id)
    if (!query || !member) return
    const next = withMention(value, query, member)
    moveTo.current = next.cursor
    setCursor(next.cursor)
    onChange(next.written)
  }
  return {
    found,
    choose,
    follow: (at: number) => {
      setCursor(at)
      setClosed(false)
    },
    close: () => setClosed(true),
  }
}

/** Handles keys of the list while it is open, else those of the form. */
const keysOf =
  (
    combobox: ComboboxStore,
    isOpen: boolean,
    { close, onKeyDown }: { close(): void; onKeyDown: MentionInputProps['onKeyDown'] },
  ) =>
  (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isOpen && event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (isOpen && event.key === 'Tab') {
      event.preventDefault()
      combobox.clickSelectedOption()
    } else if (!isOpen) onKeyDown(event)
  }

const Members = ({ members }: { members: readonly Mentionable[] }) => (
  <Combobox.Dropdown hidden={members.length === 0}>
    <Combobox.Options aria-label="Members">
      {members.map(({ id, name }) => (
        <Combobox.Option key={id} value={id}>
          {name}
        </Combobox.Option>
      ))}
    </Combobox.Options>
  </Combobox.Dropdown>
)

/** Selects the first member, so that Enter chooses it. */
function useFirstSelected(combobox: ComboboxStore, found: readonly Mentionable[]): void {
  const names = found.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other members are the reason, not an input
  useLayoutEffect(() => {
    if (names !== '') combobox.selectFirstOption()
  }, [names])
}

export function MentionInput({ label, value, onChange, onKeyDown, ...rest }: MentionInputProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { found, choose, follow, close } = useMentions(field, { value, onChange })
  const isOpen = found.length > 0
  const combobox = useCombobox({ opened: isOpen })
  useFirstSelected(combobox, found)
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" width={280}>
      <Combobox.Target withKeyboardNavigation={isOpen} targetType="input">
        <Textarea
          {...rest}
          ref={field}
          aria-label={label}
          value={value}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value)
            follow(currentTarget.selectionStart)
          }}
          onSelect={({ currentTarget }) => follow(currentTarget.selectionStart)}
          onBlur={close}
          onKeyDown={keysOf(combobox, isOpen, { close, onKeyDown })}
          autosize
          minRows={1}
          maxRows={8}
        />
      </Combobox.Target>
      <Members members={found} />
    </Combobox>
  )
}
