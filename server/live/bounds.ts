// Limits the open streams of one user, one organization, one client address, all users without a confirmed email
// address, and the process. When the process is full, a new stream replaces one of the client with the most streams,
// or else one of the organization with the most.
import { AppError } from '../base/errors.ts'
import type { StreamBounds } from '../config/rate-config.ts'
import type { StreamOwner } from './stream.ts'

const RETRY_AFTER_SECONDS = 30
/** All users without a confirmed address share this part of the process: anyone can sign up with a wrong address. */
const UNVERIFIED_PART = 10
const UNVERIFIED_PER_USER = 5

interface Bound {
  who: string
  limit: number
  advice: string
  code: 'rate_limit_exceeded' | 'unavailable'
  setting: string
}

const raise = (setting: string) => `close some, or ask the operator to raise ${setting}`

function refusal({ who, limit, advice, code, setting }: Bound): AppError {
  const message = `${who} ${limit} streams of live updates open, the maximum: ${advice}`
  return new AppError(code, message, { retryAfter: RETRY_AFTER_SECONDS, bound: setting })
}

interface StreamSlot {
  owner: StreamOwner
  giveWay: () => void
}

type Key = string | number

/** The number of streams by owner. */
class Counts {
  readonly #of: (owner: StreamOwner) => Key
  readonly #counts = new Map<Key, number>()

  constructor(of: (owner: StreamOwner) => Key) {
    this.#of = of
  }

  get(owner: StreamOwner): number {
    return this.#counts.get(this.#of(owner)) ?? 0
  }

  add(owner: StreamOwner, more: number): void {
    const next = this.get(owner) + more
    if (next > 0) this.#counts.set(this.#of(owner), next)
    else this.#counts.delete(this.#of(owner))
  }

  /** Whether an owner would still have at least as many streams as the other after passing one on. */
  hasMore(owner: StreamOwner, than: StreamOwner): boolean {
    return this.get(owner) > this.get(than) + 1
  }
}

/** The open streams of the process, counted by user, organization and client. */
export class StreamSlots {
  readonly #bounds: StreamBounds
  readonly #slots = new Set<StreamSlot>()
  readonly #ofUsers = new Counts(({ userId }) => userId)
  readonly #ofOrganizations = new Counts(({ org }) => org)
  readonly #ofClients = new Counts(({ client }) => client)
  #unverified = 0

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds
  }

  /** The number of open streams of the process. */
  get taken(): number {
    return this.#slots.size
  }

  /**
   * @param giveWay ends the stream, so that another stream gets its slot
   * @returns a function that releases the slot; further calls do nothing
   * @throws AppError 429 rate_limit_exceeded; 503 unavailable at the limit of the process
   */
  take(owner: StreamOwner, giveWay: () => void): () => void {
    this.#requireRoom(owner)
    this.#requireSlot(owner)
    const slot = { owner, giveWay }
    this.#slots.add(slot)
    this.#count(owner, 1)
    return () => this.#giveBack(slot)
  }

  #giveBack(slot: StreamSlot): void {
    if (this.#slots.delete(slot)) this.#count(slot.owner, -1)
  }

  #count(owner: StreamOwner, more: number): void {
    for (const counts of [this.#ofUsers, this.#ofOrganizations, this.#ofClients]) counts.add(owner, more)
    if (!owner.isVerified) this.#unverified += more
  }

  #boundsOf(owner: StreamOwner): (Omit<Bound, 'code'> & { taken: number })[] {
    const { user, organization, client } = this.#bounds
    const [taken, setting] = [this.#ofUsers.get(owner), 'LIVE_STREAMS_PER_USER']
    const perUser = owner.isVerified ? user : Math.min(user, UNVERIFIED_PER_USER)
    return [
      { who: 'You have', taken, limit: perUser, setting, advice: raise(setting) },
      {
        ...{ who: 'Your organization has', taken: this.#ofOrganizations.get(owner), limit: organization },
        ...{ setting: 'LIVE_STREAMS_PER_ORGANIZATION', advice: raise('LIVE_STREAMS_PER_ORGANIZATION') },
      },
      {
        ...{ who: 'Your address has', taken: this.#ofClients.get(owner), limit: client },
        ...{ setting: 'LIVE_STREAMS_PER_CLIENT', advice: raise('LIVE_STREAMS_PER_CLIENT') },
      },
    ]
  }

  #requireRoom(owner: StreamOwner): void {
    const code = 'rate_limit_exceeded'
    const full = this.#boundsOf(owner).find(({ taken, limit }) => taken >= limit)
    if (full) throw refusal({ ...full, code })
    const limit = Math.ceil(this.#bounds.process / UNVERIFIED_PART)
    if (owner.isVerified || this.#unverified < limit) return
    const who = 'Users without a confirmed email address have'
    throw refusal({ who, limit, code, setting: 'LIVE_STREAMS', advice: 'confirm your email address' })
  }

  /** Ends a stream of the largest client first: an attacker can create many organizations, but has few addresses. */
  #requireSlot(owner: StreamOwner): void {
    const { process: limit } = this.#bounds
    if (this.taken < limit) return
    const slot =
      this.#newestOfLargest(this.#ofClients, owner) ?? this.#newestOfLargest(this.#ofOrganizations, owner)
    const setting = 'LIVE_STREAMS'
    if (!slot)
      throw refusal({ who: 'The service has', limit, setting, advice: raise(setting), code: 'unavailable' })
    this.#giveBack(slot)
    slot.giveWay()
  }

  #newestOfLargest(counts: Counts, newcomer: StreamOwner): StreamSlot | undefined {
    let found: StreamSlot | undefined
    for (const slot of this.#slots) {
      const isCandidate = found === undefined || counts.get(slot.owner) >= counts.get(found.owner)
      if (isCandidate && counts.hasMore(slot.owner, newcomer)) found = slot
    }
    return found
  }
}
