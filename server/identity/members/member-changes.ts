// Tells the open pages of an organization that its members or invitations changed. Streams of users who lost their
// session or membership are ended before they hear it.
import type { Logger } from 'pino'
import { MEMBER_CHANGE } from '../../../contract/events.ts'
import type { Author } from '../../base/caller.ts'
import type { BaseContext } from '../../db/base-context.ts'
import type { Db } from '../../db/pool.ts'
import { recordEvent } from '../../events/outbox.ts'
import { selectPlacesOf } from './store.ts'

interface Announcer extends Pick<Author, 'org' | 'userId'> {
  /** Where the data of the organization is; by default in the cell of the context. */
  cell?: number
}

type Telling = Pick<BaseContext, 'cell' | 'log'> & { inCell(cell: number): { db: Db } }

/** The change is made: what fails here is only logged. */
const orLog = (log: Logger, details: object, work: () => Promise<unknown>): Promise<unknown> =>
  work().catch((err: unknown) => {
    log.warn({ err, ...details }, 'open pages were not told that members changed')
  })

const tell = (ctx: Telling, { org, userId, cell = ctx.cell }: Announcer, subject: string) =>
  orLog(ctx.log, { org }, async () => {
    const event = { type: MEMBER_CHANGE, subject, data: {} } as const
    await recordEvent(ctx.inCell(cell).db, { org, userId, keyId: null }, event)
  })

/** How long a response waits for cells that do not respond. */
const WAIT_MS = 1000

/** What takes longer goes on after the response. */
async function waitBriefly(work: Promise<unknown>): Promise<void> {
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WAIT_MS)
  await Promise.race([work, isLate])
  clearTimeout(timer)
}

/**
 * Call it after the commit: the change is in the directory, the events of the organization in its cell. A cell that
 * does not respond must not turn a change that was made into an error.
 * @param subject id of the user or the invitation
 */
export const announceMembers = (ctx: Telling, announcer: Announcer, subject: string): Promise<void> =>
  waitBriefly(tell(ctx, announcer, subject))

/** What colleagues see of a user changed: in every organization of the user, none of which waits for another. */
export const announceUser = (ctx: Telling & { directory: Db }, userId: string): Promise<void> =>
  waitBriefly(
    orLog(ctx.log, { userId }, async () => {
      const places = await selectPlacesOf(ctx.directory, userId)
      await Promise.all(places.map((place) => tell(ctx, { ...place, userId }, userId)))
    }),
  )
