// For commands about endpoints and deliveries, which are refused if Svix delivers the webhooks.
import type { Caller } from '../server/base/caller.ts'
import { refuseIfManagedBySvix } from '../server/webhooks/managed.ts'
import { enter } from './organization.ts'
import { type CliSession, withSession } from './session.ts'

type Work<Result> = (ctx: CliSession['ctx'], caller: Caller) => Promise<Result>

/** Runs work as the organization's first owner. @throws AppError managed_by_svix, not_found */
export const withOwnWebhooks = <Result>(org: string, work: Work<Result>): Promise<Result> =>
  withSession(async (session) => {
    refuseIfManagedBySvix(session)
    const { ctx, caller } = await enter(session, org)
    return work(ctx, caller)
  })
