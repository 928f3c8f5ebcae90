// How long each organization has used connections of late, against what it may use for long: a token bucket of
// connection-seconds. Short bursts have credit; who keeps several connections busy all the time runs out of it.

export interface ConnectionTimeOptions {
  /** Connections an organization may use all the time. */
  sustained: number
  /** Milliseconds that only increase. */
  now?: () => number
}

export interface ConnectionTime<Key> {
  /** Counts a connection as used until the function that it returns is called. */
  use(key: Key): () => void
  /** Whether the key has used more than it may for long, while others use the database too. */
  isOver(key: Key): boolean
}

interface Account {
  /** Connection-milliseconds; below 0 more was used than there was. */
  credit: number
  /** Connections in use. */
  used: number
  at: number
}

/** What is saved while little is used: a few concurrent slow searches delay no request. */
const CREDIT_MAX_MS = 5000
/** What is remembered of an excess, so that it ends this long after the excess at most. */
const DEBT_MAX_MS = 10_000
/** Others are there while their last use is not older. */
const OTHERS_MS = 10_000
/** Accounts without use that are full again are forgotten, once there are this many. */
const ACCOUNTS_MAX = 1000

class Accounts<Key> implements ConnectionTime<Key> {
  readonly #sustained: number
  readonly #now: () => number
  readonly #accounts = new Map<Key, Account>()
  #latest: { key: Key; at: number } | undefined
  /** When a key other than the latest used a connection last. */
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
