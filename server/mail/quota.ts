// Limits for the messages that one organization, and the whole installation, may send in a day.
//
// Messages about accounts (new passwords, confirmations of addresses) are not counted. Each kind has its own rate
// limit, and they must be sent even if an organization has used up the shared limit.
import sql from 'sql-template-tag'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'

const INSTALLATION = 'installation'

/** @returns the day, if all messages are within the limit */
const count = (tx: Db, { sender, mails, limit }: { sender: string; mails: number; limit: number }) =>
  tx.maybeValue<string>(sql`
    insert into mail_days as d (day, sender, mails)
    select (now() at time zone 'UTC')::date, ${sender}::text, ${mails}::int where ${mails}::int <= ${limit}::int
    on conflict (day, sender) do update set mails = d.mails + excluded.mails
    where d.mails + excluded.mails <= ${limit}::int
    returning d.day::text`)

const exhausted = (who: string, limit: number, variable: string) =>
  new AppError(
    'rate_limit_exceeded',
    `${who} can send at most ${limit} emails a day (UTC): try again tomorrow, or ask the operator to raise ${variable}`,
  )

/**
 * Counts messages before they are sent, one for each recipient. Counts none if they exceed the limit.
 * @returns the day for which they are counted
 * @throws AppError rate_limit_exceeded that names the limit
 */
export function takeMailQuota(
  db: Db,
  { mailsPerDay, mailsPerOrganizationPerDay }: Pick<Config, 'mailsPerDay' | 'mailsPerOrganizationPerDay'>,
  { orgId, mails }: { orgId: string; mails: number },
): Promise<string> {
  return db.transaction(async (tx) => {
    // Always in this order, to prevent a deadlock of two transactions.
    if (!(await count(tx, { sender: orgId, mails, limit: mailsPerOrganizationPerDay })))
      throw exhausted('An organization', mailsPerOrganizationPerDay, 'MAILS_PER_ORGANIZATION_PER_DAY')
    const day = await count(tx, { sender: INSTALLATION, mails, limit: mailsPerDay })
    if (day === undefined) throw exhausted('This installation', mailsPerDay, 'MAILS_PER_DAY')
    return day
  })
}

/** For messages that were counted but not sent. Rows are locked in the same order as for counting. */
export const returnMailQuota = (
  db: Db,
  { orgId, mails, day }: { orgId: string; mails: number; day: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    for (const sender of [orgId, INSTALLATION])
      await tx.run(sql`
        update mail_days set mails = greatest(0, mails - ${mails}::int)
        where day = ${day}::date and sender = ${sender}`)
  })

/** Deletes counts that are more than a week old. */
export const deleteOldMailDays = (db: Db, now: Date, limit: number) =>
  db.run(sql`
    delete from mail_days where (day, sender) in (
      select day, sender from mail_days where day < (${now}::timestamptz at time zone 'UTC')::date - 7 limit ${limit})`)
