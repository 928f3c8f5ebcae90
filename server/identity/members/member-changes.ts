// Notifies the open pages of an organization that its members or invitations changed. Streams of users who lost their
// session or membership are closed before the event reaches them.
import type { Logger } from 'pino'
import { MEMBER_CHANGE } from '../../../contract/events.ts'
import type { Author } from '../../base/caller.ts'
import type { BaseContext } from '../../db/base-context.ts'
import type { Db } from '../../db/pool.ts'
import { recordEvent } from '../../events/outbox.ts'
import { selectPlacesOf } from './store.ts'

interface Announcer extends Pick<Author, 'org' | 'userId'> {
  /** The cell of the organization's data; by default the cell of the context. */
  cell?: number
}

type Telling = Pick<BaseContext, 'cell' | 'log'> & { inCell(cell: number): { db: Db } }

/** The change is already made: an error here is only logged. */
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

/** Work that takes longer continues after the response. */
async function waitBriefly(work: Promise<unknown>): Promise<void> {
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WAIT_MS)
  await Promise.race([work, isLate])
  clearTimeout(timer)
}

/**
 * To be called after the commit: the change is in the directory, the events of the organization are in its cell. A cell
 * that does not respond must not turn a change that was made into an error.
 * @param subject id of the user or the invitation
 */
export const announceMembers = (ctx: Telling, announcer: Announcer, subject: string): Promise<void> =>
  waitBriefly(tell(ctx, announcer, subject))

/** For a change of a user that colleagues can see: notifies every organization of the user, in parallel. */
export const announceUser = (ctx: Telling & { directory: Db }, userId: string): Promise<void> =>
  waitBriefly(
    orLog(ctx.log, { userId }, async () => {
      const places = await selectPlacesOf(ctx.directory, userId)
      await Promise.all(places.map((place) => tell(ctx, { ...place, userId }, userId)))
    }),
  )
