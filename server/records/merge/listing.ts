// Lists the merges into a record that can be undone.
import sql from 'sql-template-tag'
import type { MergeList } from '../../../contract/merge.ts'
import { type Caller, shownUser } from '../../base/caller.ts'
import { type ListParams, pageOfWhole } from '../../http/paging.ts'
import { type ModelContext, withModel } from '../../model/attributes/models.ts'
import { findRecord } from '../read/find-record.ts'
import { requireRecordId } from '../read/record-of.ts'
import { recordNotFound } from '../read/successor.ts'

/** @throws 400 invalid_parameter, 404 not_found */
export function listMerges(
  ctx: ModelContext,
  caller: Pick<Caller, 'org' | 'scopes'>,
  { objectId, recordId }: { objectId: string; recordId: string },
  params: ListParams,
): Promise<MergeList> {
  const { org } = caller
  return withModel(ctx, org, objectId, async (model) => {
    const id = requireRecordId(recordId)
    if (!(await findRecord(ctx.db, model, id))) throw await recordNotFound(ctx.db, model, id)
    const all = await ctx.db.many<MergeList['merges'][number]>(sql`
      select m.id, m.winner as "winnerId", m.losers as "mergedIds", m.merged_at as "mergedAt",
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "mergedBy",
        m.merged_at + make_interval(days => o.trash_days) as "undoUntil"
      from merges m join organizations o on o.org = m.org left join users u on u.id = m.actor
      where m.org = ${org} and m.obj = ${model.obj} and m.winner = ${id}
      order by m.merged_at desc, m.id desc`)
    const shown = all.map((one) => ({ ...one, mergedBy: shownUser(caller, one.mergedBy) }))
    return pageOfWhole('merges', shown, params, ['merges', org, id])
  })
}
