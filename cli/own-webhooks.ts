// What commands about endpoints and deliveries work with, where these are ours.
import { refuseIfManagedBySvix } from '../server/webhooks/managed.ts'
import { type Session, withSession } from './session.ts'

/** @throws AppError managed_by_svix */
export const withOwnWebhooks = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  withSession(async (session) => {
    refuseIfManagedBySvix(session)
    return work(session)
  })
