import { useLayoutEffect, useState } from 'react'

/**
 * True for one drawing after `key` changed, while `isOn`: for `selectFirstOptionOnChange` of a list of options. Were
 * it true all the time, the first option would be active as well after the text was deleted, and Enter would take it.
 * Both changes are drawn before the next key is handled.
 */
export function usePulse(isOn: boolean, key: unknown): boolean {
  const [pulse, setPulse] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the key is a pulse
  useLayoutEffect(() => setPulse(isOn), [isOn, key])
  useLayoutEffect(() => {
    if (pulse) setPulse(false)
  }, [pulse])
  return pulse
}
