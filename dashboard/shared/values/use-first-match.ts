// Lists whose options the service finds: Enter takes the first that matches what was typed, also when it is pressed
// before the service has answered.
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { consume } from '../../ui/picker-keys.ts'
import { usePulse } from '../../ui/use-pulse.ts'
import type { Found } from './found-options.ts'

type Key = KeyboardEvent<HTMLInputElement>

interface Search {
  text: string
  found: Found
  /** Takes the option, which was found for the text. */
  choose(value: string): void
  /** What keys do when the options are those of the text. */
  onKey(event: Key): void
}

/** @returns what the list of options needs to take the first match */
export function useFirstMatch({ text, found, choose, onKey }: Search) {
  const isTyped = text.trim() !== ''
  const isFresh = isTyped && found.isFresh
  const awaited = useRef<string>(undefined)
  const first = found.options[0]?.value
  useEffect(() => {
    if (!isFresh || awaited.current !== text) return
    awaited.current = undefined
    if (first !== undefined) choose(first)
  })
  const onKeyDownCapture = (event: Key) => {
    if (event.key !== 'Enter' || !isTyped || isFresh) return onKey(event)
    awaited.current = text
    consume(event)
  }
  const onBlur = () => {
    awaited.current = undefined
  }
  return { selectFirstOptionOnChange: usePulse(isFresh, first), onKeyDownCapture, onBlur }
}
