// Creates attributes. Their defaults are checked like values of records.
import type { NewAttribute } from '../../contract/attributes.ts'
import type { Caller } from '../base/caller.ts'
import { createAttribute } from '../model/attributes/service.ts'
import { type AttributeRow, attributeEtag } from '../model/attributes/store.ts'
import type { RecordContext } from '../records/context.ts'
import { readingDefault } from './default-value.ts'

/** @param objectId id or slug @throws 400 validation_error, 404 not_found, 409 slug_conflict */
export async function addAttribute(
  ctx: RecordContext,
  caller: Caller,
  { objectId, input }: { objectId: string; input: NewAttribute },
): Promise<{ attribute: AttributeRow; etag: string }> {
  const readDefault = readingDefault(caller)
  const attribute = await createAttribute(ctx, caller.org, { objectId, input, readDefault })
  return { attribute, etag: attributeEtag(attribute) }
}
