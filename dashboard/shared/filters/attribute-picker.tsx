// Chooses an attribute by its name, also an attribute along a reference. Attributes along two references are offered
// only for typed text.
import { NavLink, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import { useAlong } from './along.ts'

interface AttributePickerProps {
  attributes: readonly Attribute[]
  onPick(attribute: Attribute): void
}

export function AttributePicker({ attributes, onPick }: AttributePickerProps) {
  const [text, setText] = useState('')
  const { near, far } = useAlong(attributes, true)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...attributes, ...near, ...(words.length > 0 ? far : [])].filter(({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  )
  return (
    <Stack gap={4}>
      <TextInput
        aria-label="Find an attribute"
        placeholder="Find an attribute"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && found[0]) onPick(found[0])
        }}
        data-autofocus
      />
      <ScrollArea.Autosize mah={280} type="auto">
        {found.map((attribute) => {
          const Icon = TYPES[attribute.type].icon
          return (
            <NavLink
              key={attribute.id}
              component="button"
              type="button"
              label={attribute.name}
              leftSection={<Icon size={14} aria-hidden />}
              onClick={() => onPick(attribute)}
            />
          )
        })}
        {found.length === 0 && (
          <Text c="dimmed" p="xs">
            No matching attributes
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  )
}
