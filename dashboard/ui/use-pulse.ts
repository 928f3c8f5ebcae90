import { useLayoutEffect, useState } from 'react'

/**
 * True for one render after `key` changed while `isOn`, for `selectFirstOptionOnChange` of a list. If it stayed true,
 * the first option would also be active after the text was deleted, and Enter would take it. Both renders happen before
 * the next key is handled.
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
