// Enter takes the first option that matches the typed text, also when the results of the service arrive after the key.
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Found, Option } from './found-options.ts'
import { consume, isPlain } from './picker-keys.ts'
import { usePulse } from './use-pulse.ts'

type Key = KeyboardEvent<HTMLInputElement>

interface Search {
  /** Empty while nothing is typed. */
  text: string
  found: Found
  take(option: Option): void
  /** Handles keys while the options match the text. */
  onKey(event: Key): void
}

/** @returns props of the list, and `forget` */
export function useFirstMatch({ text, found, take, onKey }: Search) {
  const isTyped = text.trim() !== ''
  const isFresh = isTyped && found.isFresh
  const awaited = useRef<string>(undefined)
  const [first] = found.options
  useEffect(() => {
    if (!isFresh || awaited.current !== text) return
    awaited.current = undefined
    if (first !== undefined) take(first)
  })
  const onKeyDownCapture = (event: Key) => {
    // A Space is part of the text, also after the list was closed.
    if (event.key === ' ' && isTyped) return
    if (event.key !== 'Enter' || !isPlain(event) || !isTyped || isFresh) return onKey(event)
    awaited.current = text
    consume(event)
  }
  return {
    selectFirstOptionOnChange: usePulse(isFresh, `${text}\n${first?.value}`),
    onKeyDownCapture,
    /** Called when the field is left: Enter no longer waits for results. */
    forget: () => {
      awaited.current = undefined
    },
  }
}
