// Finds records that refer to a member, by the search of the API, so that large objects are read by their index.
import type { SearchBody } from '../../contract/records.ts'
import type { Caller } from '../base/caller.ts'
import type { ModelAttribute, ModelContext, ObjectModel } from '../model/attributes/models.ts'
import { selectObjects } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { searchRecords } from '../records/read/service.ts'

export interface MemberAttribute {
  model: ObjectModel
  singularName: string
  pluralName: string
  attribute: ModelAttribute
}

/** The attributes of active objects that refer to members. */
export async function memberAttributes(
  { db, models }: ModelContext,
  org: number,
): Promise<MemberAttribute[]> {
  const found: MemberAttribute[] = []
  for (const { id, singularName, pluralName } of await selectObjects(db, org)) {
    const model = await models.get(db, org, id)
    for (const attribute of model.attributes.values())
      if (attribute.type === 'member') found.push({ model, singularName, pluralName, attribute })
  }
  return found
}

interface FoundPage {
  records: { id: string }[]
  pagination: { total?: number }
}

async function search(
  ctx: RecordContext,
  caller: Caller,
  { model, attribute }: MemberAttribute,
  { userId, ...page }: { userId: string } & Pick<SearchBody, 'limit' | 'offset' | 'count'>,
): Promise<FoundPage> {
  const filter = { attributeSlug: attribute.slug, operator: 'equals', value: userId } as const
  return JSON.parse(await searchRecords(ctx, caller, model.id, { ...page, filter }))
}

export const countAssignedRecords = async (
  ctx: RecordContext,
  caller: Caller,
  of: MemberAttribute,
  userId: string,
) => (await search(ctx, caller, of, { userId, limit: 1 })).pagination.total ?? 0

/** @param offset number of records to skip, which could not be changed */
export const findAssignedRecords = async (
  ctx: RecordContext,
  caller: Caller,
  of: MemberAttribute,
  { userId, limit, offset }: { userId: string; limit: number; offset: number },
): Promise<string[]> =>
  (await search(ctx, caller, of, { userId, limit, offset, count: false })).records.map(({ id }) => id)
