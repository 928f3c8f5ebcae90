// Bytes of request bodies in memory at once: bounded for each key, each organization and the whole process, and
// counted before a body is read. A few dozen bulk bodies at the same time would otherwise exhaust the heap for all.
import type { FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { AppError } from '../errors.ts'
import { networkOf } from './client-network.ts'

/** In bytes. */
export interface BodyBounds {
  key: number
  organization: number
  process: number
}

/** Bodies of one owner are counted together. The owner is the most specific name that the request is known by. */
export interface BodyOwner {
  /** A key, a signed-in user or a client address. */
  sender: { kind: 'API key' | 'user' | 'address'; id: string }
  organization: number | undefined
}

/** The bytes of one body, counted until `release`. */
export interface BodyHold {
  /** @throws 429 rate_limit_exceeded or 503 unavailable: the bytes are not counted then */
  grow(bytes: number): void
  /** May be called again. */
  release(): void
}

interface Share {
  name: string
  who: string
  setting: string
  limit: number
  status: 'rate_limit_exceeded' | 'unavailable'
}

const RETRY_AFTER_SECONDS = 2
/** The last eighth of the process is for bodies up to this size, which nearly all requests have. */
const SMALL_BYTES = 64 * 1024
const RESERVED_PART = 8

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`

function refusal({ who, setting, limit, status }: Share): AppError {
  const message = `The request bodies of ${who} in progress have reached ${megabytes(limit)}: try again when other requests have finished. The operator can raise ${setting}`
  return new AppError(status, message, { retryAfter: RETRY_AFTER_SECONDS, bound: setting, bytes: limit })
}

export class BodyBudget {
  readonly #bounds: BodyBounds
  readonly #inFlight = new Map<string, number>()

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds
  }

  /** Bytes of all bodies in memory. */
  get bytes(): number {
    return this.#inFlight.get('process') ?? 0
  }

  /** A hold without bytes yet. */
  open(owner: BodyOwner): BodyHold {
    const shares = this.#sharesOf(owner)
    let held = 0
    return {
      grow: (bytes) => {
        this.#take(shares, bytes, held)
        held += bytes
      },
      release: () => {
        for (const { name } of shares) this.#add(name, -held)
        held = 0
      },
    }
  }

  #sharesOf({ sender, organization }: BodyOwner): Share[] {
    const { key, organization: perOrganization, process } = this.#bounds
    const own = { setting: 'BODY_BYTES_PER_KEY', limit: key, status: 'rate_limit_exceeded' as const }
    const shares: Share[] = [
      { ...own, name: `${sender.kind} ${sender.id}`, who: `this ${sender.kind}` },
      { name: 'process', who: 'all clients', setting: 'BODY_BYTES', limit: process, status: 'unavailable' },
    ]
    if (organization !== undefined)
      shares.splice(1, 0, {
        name: `organization ${organization}`,
        who: 'this organization',
        setting: 'BODY_BYTES_PER_ORGANIZATION',
        limit: perOrganization,
        status: 'rate_limit_exceeded',
      })
    return shares
  }

  /** A body larger than a whole bound is taken when it is alone within it. */
  #take(shares: readonly Share[], bytes: number, held: number): void {
    for (const share of shares) {
      const others = (this.#inFlight.get(share.name) ?? 0) - held
      const isSmall = share.name !== 'process' || held + bytes <= SMALL_BYTES
      const limit = isSmall ? share.limit : share.limit - share.limit / RESERVED_PART
      if (others > 0 && others + held + bytes > limit) throw refusal(share)
    }
    for (const { name } of shares) this.#add(name, bytes)
  }

  #add(name: string, bytes: number): void {
    const sum = (this.#inFlight.get(name) ?? 0) + bytes
    if (sum > 0) this.#inFlight.set(name, sum)
    else this.#inFlight.delete(name)
  }
}

export function measureBodies(registry: Registry, budget: BodyBudget): void {
  const gauge: Gauge = new Gauge({
    name: 'rapport_request_body_bytes',
    help: 'Bytes of the request bodies in progress',
    registers: [registry],
    collect: () => gauge.set(budget.bytes),
  })
}

/** By what is known of the sender once the hooks in front have run. */
export function bodyOwnerOf({ caller, signedIn, ip }: FastifyRequest): BodyOwner {
  const organization = caller?.org
  if (caller?.keyId) return { sender: { kind: 'API key', id: caller.keyId }, organization }
  const userId = signedIn?.user.id ?? caller?.userId
  if (userId) return { sender: { kind: 'user', id: userId }, organization }
  return { sender: { kind: 'address', id: networkOf(ip) }, organization }
}
