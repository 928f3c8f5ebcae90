// How many streams may be open at once: of one user, of one organization, of the process.
import { AppError } from '../errors.ts'
import type { StreamOwner } from './stream.ts'

export interface StreamBounds {
  user: number
  organization: number
  process: number
}

const RETRY_AFTER_SECONDS = 30

interface Bound {
  who: string
  limit: number
  setting: string
  code: 'rate_limit_exceeded' | 'unavailable'
}

function refusal({ who, limit, setting, code }: Bound): AppError {
  const message = `${who} ${limit} streams of live updates open, the maximum: close some, or ask the operator to raise ${setting}`
  return new AppError(code, message, { retryAfter: RETRY_AFTER_SECONDS, bound: setting })
}

const counted = <Key>(counts: ReadonlyMap<Key, number>, key: Key) => counts.get(key) ?? 0

function count<Key>(counts: Map<Key, number>, key: Key, more: number): void {
  const next = counted(counts, key) + more
  if (next > 0) counts.set(key, next)
  else counts.delete(key)
}

/** The open streams of the process, by who has them. */
export class StreamPlaces {
  readonly #bounds: StreamBounds
  readonly #ofUsers = new Map<string, number>()
  readonly #ofOrganizations = new Map<number, number>()
  /** Of the process. */
  taken = 0

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds
  }

  /** @throws AppError 429 rate_limit_exceeded, 503 unavailable: that of the process */
  take(owner: StreamOwner): void {
    this.#requireRoom(owner)
    this.#count(owner, 1)
  }

  giveBack(owner: StreamOwner): void {
    this.#count(owner, -1)
  }

  #count({ userId, org }: StreamOwner, more: number): void {
    count(this.#ofUsers, userId, more)
    count(this.#ofOrganizations, org, more)
    this.taken += more
  }

  #requireRoom({ userId, org }: StreamOwner): void {
    const { user, organization, process } = this.#bounds
    const code = 'rate_limit_exceeded'
    if (counted(this.#ofUsers, userId) >= user)
      throw refusal({ who: 'You have', limit: user, setting: 'LIVE_STREAMS_PER_USER', code })
    if (counted(this.#ofOrganizations, org) >= organization) {
      const setting = 'LIVE_STREAMS_PER_ORGANIZATION'
      throw refusal({ who: 'Your organization has', limit: organization, setting, code })
    }
    if (this.taken >= process)
      throw refusal({ who: 'The service has', limit: process, setting: 'LIVE_STREAMS', code: 'unavailable' })
  }
}
