// What an attempt's time went into, one phase after the other.
import type { DeliveryAttempt } from '../../../api/webhooks.ts'

export interface Phase {
  name: string
  ms: number
}

type Timings = DeliveryAttempt['timings']

/** Phases that were not taken are left out; what no phase explains is the answer on its way. */
export function phasesOf({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: Timings): Phase[] {
  const known = [
    { name: 'DNS', ms: dnsMs },
    { name: 'Connect', ms: connectMs },
    { name: 'TLS', ms: tlsMs },
    { name: 'First byte', ms: firstByteMs },
  ].filter((phase): phase is Phase => phase.ms !== null)
  const rest = totalMs - known.reduce((sum, { ms }) => sum + ms, 0)
  // Without a first byte there was no answer: all that is left went into waiting for it.
  const last = firstByteMs === null ? 'Waiting' : 'Answer'
  return rest > 0 ? [...known, { name: last, ms: rest }] : known
}
