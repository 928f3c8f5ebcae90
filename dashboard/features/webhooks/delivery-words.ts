// Texts for deliveries and attempts.
import { Ban, CircleCheck, CircleX, Clock } from 'lucide-react'
import { numberFormat } from '../../../contract/language.ts'
import type { DeliveryState, Failure, Trigger } from '../../../contract/webhook-states.ts'
import { dateFormat } from '../../ui/dates.ts'
import type { StateWords } from '../../ui/tone-chip.tsx'

export const STATE_WORDS: Readonly<Record<DeliveryState, StateWords>> = {
  pending: { word: 'Waiting', tone: 'info', icon: Clock },
  succeeded: { word: 'Delivered', tone: 'good', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'danger', icon: CircleX },
  cancelled: { word: 'Cancelled', tone: 'muted', icon: Ban },
}

/** Shown instead of the status of a response. */
const FAILURE_WORDS: Readonly<Record<Failure, string>> = {
  status: 'Refused by status',
  redirect: 'Redirect',
  blocked_address: 'Address blocked',
  dns: 'Name not found',
  refused: 'Refused',
  tls: 'TLS error',
  timeout: 'Timed out',
  reset: 'Connection closed',
  invalid_response: 'Not HTTP',
  unreadable_secret: 'Secret unreadable',
}

/** `200`, `Timed out`; undefined before the first attempt. */
export const outcomeText = (status: number | null, failure: Failure | null): string | undefined =>
  status === null ? (failure === null ? undefined : FAILURE_WORDS[failure]) : String(status)

export const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
  event: 'Event',
  replay: 'Replay',
  test: 'Test',
}

const SECOND = 1000
const seconds = numberFormat({ maximumFractionDigits: 1 })
const whole = numberFormat({ maximumFractionDigits: 0 })

/** `0.4 ms`, `120 ms`, `1.2 s` */
export function formatDuration(ms: number): string {
  if (ms >= SECOND) return `${seconds.format(ms / SECOND)} s`
  return `${(ms < 10 ? seconds : whole).format(ms)} ms`
}

const day = dateFormat({ month: 'short', day: 'numeric' })
const clock = dateFormat({ timeStyle: 'medium' })
const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })

/** For logs, which show seconds. */
export const formatDay = (timestamp: string): string => day.format(new Date(timestamp))
export const formatClock = (timestamp: string): string => clock.format(new Date(timestamp))
export const formatExact = (timestamp: string): string => exact.format(new Date(timestamp))
