// The state of an endpoint, its reason, and advice, in words.
import type { DisabledReason } from '../../../../contract/webhook-states.ts'
import type { Endpoint } from '../api/webhooks.ts'

export type EndpointState = 'active' | 'failing' | 'disabled'

export const stateOf = ({
  isEnabled,
  failingSince,
  areSecretsReadable,
}: Pick<Endpoint, 'isEnabled' | 'failingSince' | 'areSecretsReadable'>): EndpointState => {
  if (!isEnabled) return 'disabled'
  return failingSince === null && areSecretsReadable ? 'active' : 'failing'
}

export const STATE_WORDS: Readonly<Record<EndpointState, string>> = {
  active: 'Active',
  failing: 'Failing',
  disabled: 'Disabled',
}

/** Shown next to "Disabled". */
export const DISABLED_SHORT: Readonly<Record<DisabledReason, string>> = {
  manual: 'manually',
  gone: 'responded 410 Gone',
  failing: 'failed for 5 days',
}

const MISSED = 'Events until then are not sent: send them afterwards with “Replay missing”.'

const DISABLED_WHY: Readonly<Record<DisabledReason, string>> = {
  manual: `This endpoint was disabled manually. Enable it to receive events again. ${MISSED}`,
  gone: `The receiver responded 410 Gone, which says that it wants no more events. Check the address, then enable the endpoint. ${MISSED}`,
  failing: `Nothing reached the receiver for 5 days. Find out why below, fix it, then enable the endpoint. ${MISSED}`,
}

const UNREADABLE =
  'Nothing is sent: the secret and the headers were encrypted with a key that this installation no longer has. Rotate the secret, give it to your receiver, then edit the endpoint and enter its headers again.'

/** The problem and advice; undefined: no problem. */
export function adviceOf(
  endpoint: Pick<Endpoint, 'isEnabled' | 'failingSince' | 'disabledReason' | 'areSecretsReadable'>,
) {
  if (!endpoint.areSecretsReadable) return UNREADABLE
  const state = stateOf(endpoint)
  if (state === 'disabled') return DISABLED_WHY[endpoint.disabledReason ?? 'manual']
  if (state === 'active') return undefined
  return 'No attempt has succeeded since. Deliveries are tried again for 72 hours; after 5 days of nothing but failures the endpoint is disabled.'
}
