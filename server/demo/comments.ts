// What a colleague writes about the latest proposal: it mentions the owner, whose inbox has it unread.
import { mentionOf } from '../../contract/mentions.ts'
import type { Caller } from '../caller.ts'
import { createComment } from '../comments/service.ts'
import type { Context } from '../context.ts'
import { searchRecords } from '../records/reading.ts'

interface Found {
  records: { id: string }[]
}

export async function addComment(ctx: Context, owner: Caller, colleague: string | undefined): Promise<void> {
  const filter = { attributeSlug: 'stage', operator: 'equals', value: 'Proposal' } as const
  const found: Found = JSON.parse(
    await searchRecords(ctx, owner, 'deals', { filter, limit: 1, count: false }),
  )
  const [deal] = found.records
  if (!deal || colleague === undefined) return
  const text = `${mentionOf(owner.userId)} they have read the proposal and ask for a call this week. Can you take it?`
  await createComment(
    ctx,
    { ...owner, userId: colleague },
    { objectId: 'deals', recordId: deal.id },
    { text },
  )
}
