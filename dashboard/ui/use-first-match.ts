// Enter takes the first option that matches what was typed, also when it is pressed before the service has found it.
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Found, Option } from './found-options.ts'
import { consume, isPlain } from './picker-keys.ts'
import { usePulse } from './use-pulse.ts'

type Key = KeyboardEvent<HTMLInputElement>

interface Search {
  /** Empty: nothing is typed. */
  text: string
  found: Found
  take(option: Option): void
  /** What keys do when the options are those of the text. */
  onKey(event: Key): void
}

/** @returns what the list of options needs to take the first match */
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
    // A space in a text, also after the list was closed over it.
    if (event.key === ' ' && isTyped) return
    if (event.key !== 'Enter' || !isPlain(event) || !isTyped || isFresh) return onKey(event)
    awaited.current = text
    consume(event)
  }
  return {
    selectFirstOptionOnChange: usePulse(isFresh, `${text}\n${first?.value}`),
    onKeyDownCapture,
    /** The field was left: what then happens to the text is another matter. */
    forget: () => {
      awaited.current = undefined
    },
  }
}
