// Limits the bytes that requests hold in memory, for each key, each organization and the whole process. Otherwise a few
// dozen bulk bodies, or large responses that clients do not read, would exhaust the heap. When the process is at its
// limit, holds of the organization with the most bytes are dropped for organizations with fewer.
import { AppError } from '../base/errors.ts'
import type { ByteBounds } from '../config/rate-config.ts'

/** The bytes of one owner are counted together. The owner is the most specific identity of the request. */
export interface ByteOwner {
  /** A key, a signed-in user or a client address. */
  sender: { kind: 'API key' | 'user' | 'address'; id: string }
  organization: number | undefined
}

/** The bytes of one request, counted until `release`. */
export interface ByteHold {
  /** @throws 429 rate_limit_exceeded or 503 unavailable: the bytes are not counted then */
  grow(bytes: number): void
  /** Allows the budget to release the bytes for others, for which it calls `drop`. undefined: no longer allowed. */
  giveWay(drop: (() => void) | undefined): void
  /** May be called several times. */
  release(): void
}

/** How messages name the counted bytes. */
interface Counted {
  /** The setting of the process; the settings of an organization and of a key begin with the same name. */
  setting: string
  /** @param who for example "this API key" */
  describe(who: string): string
}

interface Share {
  name: string
  who: string
  setting: string
  limit: number
  status: 'rate_limit_exceeded' | 'unavailable'
}

const RETRY_AFTER_SECONDS = 2
/** The last eighth of the process limit is reserved for requests with at most this many bytes, as nearly all have. */
const SMALL_BYTES = 64 * 1024
const RESERVED_PART = 8

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`

class Hold implements ByteHold {
  readonly shares: readonly Share[]
  readonly openedAt = performance.now()
  held = 0
  drop: (() => void) | undefined
  readonly #budget: ByteBudget

  constructor(budget: ByteBudget, shares: readonly Share[]) {
    this.#budget = budget
    this.shares = shares
  }

  /** Whose bytes are compared with those of other holders: the organization, or the sender if there is none. */
  get holder(): string {
    return this.shares.at(-2)?.name ?? ''
  }

  grow(bytes: number): void {
    this.#budget.take(this, bytes)
  }

  giveWay(drop: (() => void) | undefined): void {
    this.drop = drop
    this.#budget.note(this)
  }

  release(): void {
    this.giveWay(undefined)
    this.#budget.giveBack(this)
  }
}

export class ByteBudget {
  readonly #counted: Counted
  readonly #bounds: ByteBounds
  readonly #inFlight = new Map<string, number>()
  /** Holds that may be dropped, by holder. */
  readonly #giveWay = new Map<string, Set<Hold>>()

  constructor(counted: Counted, bounds: ByteBounds) {
    this.#counted = counted
    this.#bounds = bounds
  }

  /** The counted bytes of the process. */
  get bytes(): number {
    return this.#bytesOf('process')
  }

  open(owner: ByteOwner): ByteHold {
    return new Hold(this, this.#sharesOf(owner))
  }

  /** A hold above a whole limit is accepted if there are no other holds within this limit. */
  take(hold: Hold, bytes: number): void {
    for (const share of hold.shares) {
      if (!this.#fits(share, hold, bytes) && !this.#makeRoom(share, hold, bytes)) throw this.#refusal(share)
    }
    for (const { name } of hold.shares) this.#add(name, bytes)
    hold.held += bytes
  }

  giveBack(hold: Hold): void {
    for (const { name } of hold.shares) this.#add(name, -hold.held)
    hold.held = 0
  }

  note(hold: Hold): void {
    const { holder } = hold
    const holds = this.#giveWay.get(holder) ?? new Set()
    if (hold.drop) this.#giveWay.set(holder, holds.add(hold))
    else if (holds.delete(hold) && holds.size === 0) this.#giveWay.delete(holder)
  }

  #bytesOf(name: string): number {
    return this.#inFlight.get(name) ?? 0
  }

  #sharesOf({ sender, organization }: ByteOwner): Share[] {
    const { setting } = this.#counted
    const bounds = this.#bounds
    const status = 'rate_limit_exceeded'
    const key = { setting: `${setting}_PER_KEY`, limit: bounds.key, status } as const
    const shares: Share[] = [{ ...key, name: `${sender.kind} ${sender.id}`, who: `this ${sender.kind}` }]
    if (organization !== undefined) {
      const own = { setting: `${setting}_PER_ORGANIZATION`, limit: bounds.organization, status } as const
      shares.push({ ...own, name: `organization ${organization}`, who: 'this organization' })
    }
    const all = { setting, limit: bounds.process, status: 'unavailable' } as const
    shares.push({ ...all, name: 'process', who: 'all clients' })
    return shares
  }

  #refusal({ who, setting, limit, status }: Share): AppError {
    const message = `${this.#counted.describe(who)} have reached ${megabytes(limit)}: try again when other requests have finished. The operator can raise ${setting}`
    return new AppError(status, message, { retryAfter: RETRY_AFTER_SECONDS, bound: setting, bytes: limit })
  }

  #fits({ name, limit }: Share, { held }: Hold, bytes: number): boolean {
    const others = this.#bytesOf(name) - held
    const isSmall = name !== 'process' || held + bytes <= SMALL_BYTES
    return others === 0 || others + held + bytes <= (isSmall ? limit : limit - limit / RESERVED_PART)
  }

  /** Drops holds of holders with more bytes: the slowest hold of the largest holder first. */
  #makeRoom(share: Share, hold: Hold, bytes: number): boolean {
    if (share.name !== 'process') return false
    const wanted = this.#bytesOf(hold.holder) + bytes
    while (!this.#fits(share, hold, bytes)) {
      const slowest = this.#slowestOfLargest(wanted)
      if (!slowest) return false
      const { drop } = slowest
      slowest.release()
      drop?.()
    }
    return true
  }

  /** @param bytes a holder with at most this many bytes is left out */
  #slowestOfLargest(bytes: number): Hold | undefined {
    let largest: string | undefined
    let most = bytes
    for (const holder of this.#giveWay.keys()) {
      if (this.#bytesOf(holder) <= most) continue
      largest = holder
      most = this.#bytesOf(holder)
    }
    const now = performance.now()
    const rate = ({ held, openedAt }: Hold) => held / (now - openedAt)
    const holds = [...((largest !== undefined && this.#giveWay.get(largest)) || [])]
    return holds.reduce<Hold | undefined>(
      (one, next) => (one && rate(one) <= rate(next) ? one : next),
      undefined,
    )
  }

  #add(name: string, bytes: number): void {
    const sum = this.#bytesOf(name) + bytes
    if (sum > 0) this.#inFlight.set(name, sum)
    else this.#inFlight.delete(name)
  }
}
