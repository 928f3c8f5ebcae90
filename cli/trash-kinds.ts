// The work of rapport trash for each kind: records of an object, activities, comments and files.
import type { TrashedComment } from '../contract/comment-trash.ts'
import { withNames } from '../contract/mentions.ts'
import { type BulkRestored, type TrashList, TrashQuery } from '../contract/trash.ts'
import type { Caller } from '../server/base/caller.ts'
import { AppError } from '../server/base/errors.ts'
import { inDryRun } from '../server/db/dry-run.ts'
import type { Db } from '../server/db/pool.ts'
import { checked } from './checked.ts'
import { answerOf, lossLines, namesIn, type PageOptions, pageQuery } from './object-command.ts'
import type { CliSession } from './session.ts'

type Ctx = CliSession['ctx']

interface Kept {
  id: string
  deletedAt: string
  deletedBy: { email?: string } | null
  purgeAt: string
}

type Page = Pick<TrashList, 'pagination'>

interface Restored {
  answer: { restored: number }
  /** Number of ids that are not in the trash. */
  missing: number
  /** Lines about items that are not restored, or not completely. */
  lines: string[]
}

interface Restoration {
  ids: readonly string[]
  dryRun: boolean
}

export interface TrashKind {
  heading: string
  /** The place in "not in the trash of people". */
  place: string
  /** @returns the list, and the cells of each row */
  list(
    ctx: Ctx,
    caller: Caller,
    options: Pick<PageOptions, 'limit' | 'cursor'>,
  ): Promise<{ page: Page; rows: (Kept & { name: string })[] }>
  restore(ctx: Ctx, caller: Caller, restoration: Restoration): Promise<Restored>
  /** @returns the number of permanently deleted items */
  remove(ctx: Ctx, caller: Caller, ids: readonly string[]): Promise<number>
}

const queryOf = (options: Pick<PageOptions, 'limit' | 'cursor'>) => checked(TrashQuery, pageQuery(options))

/** Runs `work` for each id. @returns how many ids exist @throws errors other than not_found */
async function countFound(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<number> {
  let found = 0
  for (const id of ids)
    try {
      await work(id)
      found += 1
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
    }
  return found
}

export const recordsOf = (object: string): TrashKind => ({
  heading: 'RECORD',
  place: object,
  async list(ctx, caller, options) {
    const { listTrash } = await import('../server/records/trash/listing.ts')
    const page = answerOf<TrashList>(await listTrash(ctx, caller, object, queryOf(options)))
    const nameOf = await namesIn(ctx, caller, { object })
    return { page, rows: page.records.map((record) => ({ ...record, name: nameOf(record) })) }
  },
  async restore(ctx, caller, { ids, dryRun }) {
    const { restoreManyRecords } = await import('../server/records/trash/restore.ts')
    const answer: BulkRestored = await restoreManyRecords(ctx, caller, object, { ids, dryRun })
    return { answer, missing: ids.length - answer.restored, lines: lossLines(answer) }
  },
  async remove(ctx, caller, ids) {
    const { purgeRecords } = await import('../server/records/trash/restore.ts')
    return purgeRecords(ctx, caller, object, ids)
  },
})

export const activities: TrashKind = {
  heading: 'ACTIVITY',
  place: 'activities',
  async list(ctx, caller, options) {
    const { listTrashedActivities } = await import('../server/activities/trash/listing.ts')
    const page = await listTrashedActivities(ctx, caller, queryOf(options))
    return { page, rows: page.activities.map((activity) => ({ ...activity, name: activity.title })) }
  },
  async restore({ db }, caller, { ids, dryRun }) {
    const { restoreActivities } = await import('../server/activities/trash/restore.ts')
    const { activities: back, losses } = await inDryRun(db, dryRun, (tx) =>
      restoreActivities(tx, caller, ids),
    )
    const { first, count } = losses
    // `recordId` of such a loss is the linked record, so the activity is shown instead.
    const named = first.map((loss) => ({ ...loss, recordId: loss.activityId ?? loss.recordId }))
    return {
      answer: { restored: back.length, losses: first, lossCount: count },
      missing: ids.length - back.length,
      lines: lossLines({ losses: named, lossCount: count }),
    }
  },
  async remove(ctx, caller, ids) {
    const { purgeActivity } = await import('../server/activities/trash/purge.ts')
    return countFound(ids, (id) => purgeActivity(ctx, caller, id))
  },
}

/** Restores items one by one, so that a refused item does not stop the others. */
async function restoreEach(
  ctx: Ctx,
  { ids, dryRun }: Restoration,
  restore: (ctx: Omit<Ctx, 'db'> & { db: Db }, id: string) => Promise<unknown>,
): Promise<Restored> {
  const kept = await inDryRun(ctx.db, dryRun, async (tx) => {
    const refused: { id: string; message: string }[] = []
    for (const id of ids)
      try {
        await restore({ ...ctx, db: tx }, id)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused.push({ id, message: error.message })
      }
    return refused
  })
  const lines = kept.map(({ id, message }) => `Not restored: ${id}: ${message}`)
  const answer = { restored: ids.length - kept.length, kept }
  return { answer, missing: 0, lines }
}

const SHOWN_TEXT = 60

/** The beginning of the text, in one line. */
function beginningOf({ text, mentions }: Pick<TrashedComment, 'text' | 'mentions'>): string {
  const names = new Map(mentions.map(({ id, name }) => [id, name]))
  const line = withNames(text, (id) => names.get(id) ?? id).replaceAll(/\s+/g, ' ')
  return line.length > SHOWN_TEXT ? `${line.slice(0, SHOWN_TEXT - 1)}…` : line
}

export const comments: TrashKind = {
  heading: 'COMMENT',
  place: 'comments',
  async list(ctx, caller, options) {
    const { listTrashedComments } = await import('../server/comments/trash.ts')
    const page = await listTrashedComments(ctx, caller, queryOf(options))
    return { page, rows: page.comments.map((comment) => ({ ...comment, name: beginningOf(comment) })) }
  },
  async restore(ctx, caller, restoration) {
    const { restoreComment } = await import('../server/comments/trash.ts')
    return restoreEach(ctx, restoration, (inTransaction, id) => restoreComment(inTransaction, caller, id))
  },
  async remove(ctx, caller, ids) {
    const { removeTrashedComment } = await import('../server/comments/trash.ts')
    return countFound(ids, (id) => removeTrashedComment(ctx, caller, id))
  },
}

export const files: TrashKind = {
  heading: 'FILE',
  place: 'files',
  async list(ctx, caller, options) {
    const { listTrashedAttachments } = await import('../server/attachments/trash.ts')
    const page = await listTrashedAttachments(ctx, caller, queryOf(options))
    return { page, rows: page.attachments }
  },
  async restore(ctx, caller, restoration) {
    const { restoreAttachment } = await import('../server/attachments/trash.ts')
    return restoreEach(ctx, restoration, (inTransaction, id) => restoreAttachment(inTransaction, caller, id))
  },
  async remove(ctx, caller, ids) {
    const { removeTrashedAttachment } = await import('../server/attachments/trash.ts')
    return countFound(ids, (id) => removeTrashedAttachment(ctx, caller, id))
  },
}
