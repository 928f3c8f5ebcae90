// The records that refer to a record: a list with a filter for each attribute that can refer to it.
import { FILTERS_MAX } from '../../../contract/limits.ts'
import type { RelatedQuery } from '../../../contract/records.ts'
import type { Caller } from '../../base/caller.ts'
import { invalid } from '../../base/errors.ts'
import { instead, sentName } from '../../base/suggestions.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import type { RecordReadContext } from './context.ts'
import { requireRecord } from './one-record.ts'
import { listRecords } from './service.ts'

/** Slugs of the attributes of `model` that refer to records of the object. */
const referring = ({ attributes }: ObjectModel, obj: number): string[] =>
  [...attributes.values()].filter(({ targetObj }) => targetObj === obj).map(({ slug }) => slug)

const refusal = (code: string, message: string) =>
  invalid('invalid_parameter', [{ path: 'via', code, message }])

/** @throws 400 invalid_parameter */
function slugsVia(model: ObjectModel, obj: number, via: string | undefined): string[] {
  const known = referring(model, obj)
  if (via !== undefined && known.includes(via)) return [via]
  if (via !== undefined || known.length === 0)
    throw refusal(
      'invalid_via',
      `must be an attribute of ${model.slug} that refers to the object of the record, not ${sentName(via)}: ${instead(via, known)}`,
    )
  if (known.length > FILTERS_MAX)
    throw refusal(
      'too_many',
      `must be sent: ${known.length} attributes of ${model.slug} refer to the object, of which one request reads ${FILTERS_MAX}`,
    )
  return known
}

interface Related {
  objectId: string
  recordId: string
  relatedObjectId: string
}

/** @returns JSON text shaped as contract/records.ts RecordList @throws 400 invalid_parameter, invalid_filter, 404 not_found */
export async function listRelatedRecords(
  ctx: RecordReadContext,
  caller: Caller,
  { objectId, recordId, relatedObjectId }: Related,
  { via, ...query }: RelatedQuery,
): Promise<string> {
  const { obj, id } = await requireRecord(ctx, caller.org, { objectId, recordId }, 'read')
  const slugs = await withModel(ctx, caller.org, relatedObjectId, async (model) => slugsVia(model, obj, via))
  const among = { or: slugs.map((attributeSlug) => ({ attributeSlug, operator: 'equals', value: id })) }
  return listRecords(ctx, caller, relatedObjectId, query, among)
}
