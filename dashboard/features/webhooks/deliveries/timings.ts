// The phases of an attempt's duration, in order.
import type { DeliveryAttempt } from '../api/webhooks.ts'

export interface Phase {
  name: string
  ms: number
}

type Timings = DeliveryAttempt['timings']

/** Omits phases that did not occur. `firstByteMs` is measured from the start, so earlier phases are subtracted. */
export function phasesOf({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: Timings): Phase[] {
  const before = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0)
  const phases = [
    { name: 'DNS', ms: dnsMs },
    { name: 'Connect', ms: connectMs },
    { name: 'TLS', ms: tlsMs },
    { name: 'Waiting', ms: (firstByteMs ?? totalMs) - before },
    { name: 'Reading', ms: firstByteMs === null ? null : totalMs - firstByteMs },
  ]
  return phases.filter((phase): phase is Phase => phase.ms !== null && phase.ms > 0)
}
