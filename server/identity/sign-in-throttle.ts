// How long an account waits after wrong passwords: per address of the attempts, and for all addresses together.
//
// No account is locked permanently. Both delays have a maximum. An address from which the account was entered before
// does not wait for attempts from others. A new password by mail ends every delay. Accounts that do not exist wait too,
// and no password is checked while an account waits: neither answer nor response time shows whether an account exists.
import { hash } from 'node:crypto'
import { rateLimited } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { networkOf } from '../http/client-network.ts'
import {
  countAttempt,
  deleteAttempts,
  deleteAttemptsFromAnywhere,
  type Growth,
  getWait,
  markEntered,
} from './attempts-store.ts'

const BY_ADDRESS: Growth = { free: 10, firstSeconds: 15, mostSeconds: 900 }
const FROM_ANYWHERE: Growth = { free: 20, firstSeconds: 5, mostSeconds: 60 }
const ANYWHERE = ''

export interface SignInAttempt {
  email: string
  /** The client's address. */
  address: string
}

const placeOf = ({ email, address }: SignInAttempt) => ({
  account: hash('sha256', email.toLowerCase(), 'buffer'),
  address: networkOf(address),
})

async function count(tx: Db, account: Buffer, { address, growth }: { address: string; growth: Growth }) {
  const counted = await countAttempt(tx, { account, address }, growth)
  if (!counted) throw rateLimited(await getWait(tx, { account, address }))
  return counted
}

/** Counts a failure before the password is checked; `passAttempt` undoes it. @throws AppError rate_limit_exceeded */
export function startAttempt(db: Db, attempt: SignInAttempt): Promise<void> {
  const { account, address } = placeOf(attempt)
  return db.transaction(async (tx) => {
    const { isKnown } = await count(tx, account, { address, growth: BY_ADDRESS })
    if (!isKnown) await count(tx, account, { address: ANYWHERE, growth: FROM_ANYWHERE })
  })
}

/** To be called when the password was right, or the account was just made. */
export function passAttempt(db: Db, attempt: SignInAttempt): Promise<void> {
  const { account, address } = placeOf(attempt)
  return db.transaction(async (tx) => {
    await markEntered(tx, { account, address })
    await deleteAttemptsFromAnywhere(tx, account)
  })
}

/** To be called when the password was reset by mail: sign-in from that address then has no delay. */
export function endThrottle(db: Db, attempt: SignInAttempt): Promise<void> {
  const { account, address } = placeOf(attempt)
  return db.transaction(async (tx) => {
    await deleteAttempts(tx, account)
    await markEntered(tx, { account, address })
  })
}
