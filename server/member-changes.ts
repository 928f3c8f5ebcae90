// Tells the open pages of an organization that its members or invitations changed. Streams of users who lost their
// session or membership are ended before they hear it.
import { MEMBER_CHANGE } from '../contract/events.ts'
import type { Author, Context } from './context.ts'
import { recordEvent } from './events/outbox.ts'
import { selectPlacesOf } from './members/store.ts'

interface Announcer extends Pick<Author, 'org' | 'userId'> {
  /** Where the data of the organization is; by default in the cell of the context. */
  cell?: number
}

/**
 * Call it after the commit: the change is in the directory, the events of the organization in its cell. A cell that
 * does not respond must not turn a change that was made into an error.
 * @param subject id of the user or the invitation
 */
export async function announceMembers(
  ctx: Pick<Context, 'cell' | 'inCell' | 'log'>,
  { org, userId, cell = ctx.cell }: Announcer,
  subject: string,
): Promise<void> {
  try {
    const event = { type: MEMBER_CHANGE, subject, data: {} } as const
    await recordEvent(ctx.inCell(cell).db, { org, userId, keyId: null }, event)
  } catch (err) {
    ctx.log.warn({ err, org }, 'open pages were not told that members changed')
  }
}

/** What colleagues see of a user changed: in every organization of the user. */
export async function announceUser(
  ctx: Pick<Context, 'cell' | 'directory' | 'inCell' | 'log'>,
  userId: string,
): Promise<void> {
  for (const place of await selectPlacesOf(ctx.directory, userId))
    await announceMembers(ctx, { ...place, userId }, userId)
}
