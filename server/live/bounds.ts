// How many streams may be open at a time: of one user, of one organization, of one client address, of all users who
// have not confirmed their email address, and of the process. When the process is full, who has the most gives way.
import { AppError } from '../base/errors.ts'
import type { StreamBounds } from '../config/rate-config.ts'
import type { StreamOwner } from './stream.ts'

const RETRY_AFTER_SECONDS = 30
/** Anyone can sign up with an address that is not theirs: all of these together have this part of the process. */
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

/** A stream that is open. */
interface Place {
  owner: StreamOwner
  giveWay: () => void
}

type Key = string | number

/** Who has how many streams. */
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

  /** Whether an owner has so many more that it still has as many as the other when it gives one to it. */
  hasMore(owner: StreamOwner, than: StreamOwner): boolean {
    return this.get(owner) > this.get(than) + 1
  }
}

/** The open streams of the process, by who has them. */
export class StreamPlaces {
  readonly #bounds: StreamBounds
  readonly #places = new Set<Place>()
  readonly #ofUsers = new Counts(({ userId }) => userId)
  readonly #ofOrganizations = new Counts(({ org }) => org)
  readonly #ofClients = new Counts(({ client }) => client)
  #unverified = 0

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds
  }

  /** Of the process. */
  get taken(): number {
    return this.#places.size
  }

  /**
   * @param giveWay ends the stream, for another one
   * @returns gives the place back; further calls do nothing
   * @throws AppError 429 rate_limit_exceeded, 503 unavailable: that of the process
   */
  take(owner: StreamOwner, giveWay: () => void): () => void {
    this.#requireRoom(owner)
    this.#requirePlace(owner)
    const place = { owner, giveWay }
    this.#places.add(place)
    this.#count(owner, 1)
    return () => this.#giveBack(place)
  }

  #giveBack(place: Place): void {
    if (this.#places.delete(place)) this.#count(place.owner, -1)
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

  /** The largest client gives way first: those who make organizations by the dozen have few addresses. */
  #requirePlace(owner: StreamOwner): void {
    const { process: limit } = this.#bounds
    if (this.taken < limit) return
    const place =
      this.#newestOfLargest(this.#ofClients, owner) ?? this.#newestOfLargest(this.#ofOrganizations, owner)
    const setting = 'LIVE_STREAMS'
    if (!place)
      throw refusal({ who: 'The service has', limit, setting, advice: raise(setting), code: 'unavailable' })
    this.#giveBack(place)
    place.giveWay()
  }

  #newestOfLargest(counts: Counts, newcomer: StreamOwner): Place | undefined {
    let found: Place | undefined
    for (const place of this.#places) {
      const isCandidate = found === undefined || counts.get(place.owner) >= counts.get(found.owner)
      if (isCandidate && counts.hasMore(place.owner, newcomer)) found = place
    }
    return found
  }
}
