// Several of many: what is typed makes the first match active, and only while something is typed.
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { createContext, useContext, useState } from 'react'
import { usePulse } from './use-pulse.ts'

/** In a small box the list, which stays open while several are chosen, opens beside the box: not over its button. */
export const ListsBeside = createContext(false)

const BESIDE = {
  position: 'right-start',
  width: 220,
  offset: 24,
  middlewares: { shift: true, flip: { fallbackPlacements: ['left-start', 'top-start'] } },
} as const satisfies MultiSelectProps['comboboxProps']

export function MultiPicker({ searchValue, onSearchChange, ...props }: MultiSelectProps) {
  const [typed, setTyped] = useState('')
  const text = searchValue ?? typed
  const isFirstActive = usePulse(text.trim() !== '', text)
  const change = (changed: string) => {
    setTyped(changed)
    onSearchChange?.(changed)
  }
  const isBeside = useContext(ListsBeside)
  return (
    <MultiSelect
      {...(isBeside && { comboboxProps: BESIDE })}
      selectFirstOptionOnChange={isFirstActive}
      {...props}
      searchValue={text}
      onSearchChange={change}
    />
  )
}
