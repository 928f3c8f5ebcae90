// Enter takes the first option that matches the typed text, also when the results of the service arrive after the key.
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Found, Option } from './found-options.ts'
import { consume, isPlain } from './picker-keys.ts'

/**
 * True for one render after `key` changed while `isOn`, for `selectFirstOptionOnChange` of a list. If it stayed true,
 * the first option would also be active after the text was deleted, and Enter would take it. Both renders happen before
 * the next key is handled.
 */
function usePulse(isOn: boolean, key: unknown): boolean {
  const [pulse, setPulse] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the key is a pulse
  useLayoutEffect(() => setPulse(isOn), [isOn, key])
  useLayoutEffect(() => {
    if (pulse) setPulse(false)
  }, [pulse])
  return pulse
}

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
