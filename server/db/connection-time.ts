// Limits the connection time of each organization with a token bucket of connection-seconds. Short bursts are covered
// by the credit; constant use of several connections exhausts it.

export interface ConnectionTimeOptions {
  /** Connections that an organization may use constantly. */
  sustained: number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

export interface ConnectionTime<Key> {
  /** Counts a connection as used until the function that it returns is called. */
  use(key: Key): () => void
  /** Whether the key has exhausted its credit while other keys use the database. */
  isOver(key: Key): boolean
}

interface Account {
  /** Connection-milliseconds; negative: a debt. */
  credit: number
  /** Connections in use. */
  used: number
  at: number
}

/** The largest credit: enough for a few concurrent slow searches. */
const CREDIT_MAX_MS = 5000
/** The largest debt: with one sustained connection it is paid within this time. */
const DEBT_MAX_MS = 10_000
/** Other keys count as active for this long after their last use. */
const OTHERS_MS = 10_000
/** From this number of accounts on, unused accounts with full credit are removed. */
const ACCOUNTS_MAX = 1000

class Accounts<Key> implements ConnectionTime<Key> {
  readonly #sustained: number
  readonly #now: () => number
  readonly #accounts = new Map<Key, Account>()
  #latest: { key: Key; at: number } | undefined
  /** When a key other than the latest one last used a connection. */
  #beforeLatest = Number.NEGATIVE_INFINITY

  constructor({ sustained, now = () => performance.now() }: ConnectionTimeOptions) {
    this.#sustained = sustained
    this.#now = now
  }

  use(key: Key): () => void {
    this.#notice(key)
    const account = this.#accountOf(key)
    account.used++
    let isUsed = true
    return () => {
      if (isUsed) this.#settle(account).used--
      isUsed = false
    }
  }

  isOver(key: Key): boolean {
    const account = this.#accounts.get(key)
    return account !== undefined && this.#settle(account).credit < 0 && this.#hasOthers(key)
  }

  #notice(key: Key): void {
    if (this.#latest && this.#latest.key !== key) this.#beforeLatest = this.#latest.at
    this.#latest = { key, at: this.#now() }
  }

  #hasOthers(key: Key): boolean {
    const at = this.#latest && this.#latest.key !== key ? this.#latest.at : this.#beforeLatest
    return this.#now() - at <= OTHERS_MS
  }

  #settle(account: Account): Account {
    const at = this.#now()
    const change = (this.#sustained - account.used) * (at - account.at)
    account.credit = Math.max(-DEBT_MAX_MS, Math.min(CREDIT_MAX_MS, account.credit + change))
    account.at = at
    return account
  }

  #accountOf(key: Key): Account {
    const known = this.#accounts.get(key)
    if (known) return this.#settle(known)
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#forgetIdle()
    const account = { credit: CREDIT_MAX_MS, used: 0, at: this.#now() }
    this.#accounts.set(key, account)
    return account
  }

  #forgetIdle(): void {
    for (const [key, account] of this.#accounts)
      if (account.used === 0 && this.#settle(account).credit === CREDIT_MAX_MS) this.#accounts.delete(key)
  }
}

export const createConnectionTime = <Key>(options: ConnectionTimeOptions): ConnectionTime<Key> =>
  new Accounts(options)
