// Changes of the definition of an attribute: its name, and whether the case of its unique values counts.
import type { preValidationAsyncHookHandler } from 'fastify'
import type { AttributePatch } from '../../contract/attributes.ts'
import type { Caller } from '../base/caller.ts'
import type { BeforeTransaction } from '../http/request.ts'
import { refuseNaming } from '../model/attributes/definition.ts'
import { patchAttribute } from '../model/attributes/service.ts'
import { type AttributeRef, type AttributeRow, attributeEtag } from '../model/attributes/store.ts'
import type { RecordContext } from '../records/context.ts'
import { changeCase } from './case.ts'

export const refuseOthers: preValidationAsyncHookHandler = async ({ body }) => refuseNaming(body)

/** With an Idempotency-Key a request runs in a transaction, and a change of the case takes several. */
export const changeCaseFirst: BeforeTransaction = async (request, work) => {
  const { ctx, caller, params, body, headers } = request
  const { config } = body as AttributePatch
  const change = { ...(params as AttributeRef), ifMatch: headers['if-match'], config }
  // It was compared before the change, which gives the attribute another ETag.
  if (await changeCase(ctx, caller, change)) delete headers['if-match']
  return work()
}

interface AttributeUpdate extends AttributeRef {
  /** The If-Match header. */
  ifMatch: string | undefined
  patch: AttributePatch
}

/**
 * @throws 400 validation_error, 403 standard_object, 404 not_found, 409 case_conflict, wrong_state,
 * 412 precondition_failed, 503 unavailable
 */
export async function saveAttribute(
  ctx: RecordContext,
  caller: Caller,
  update: AttributeUpdate,
): Promise<{ attribute: AttributeRow; etag: string }> {
  const { patch, ...change } = update
  const isChanged = await changeCase(ctx, caller, { ...change, config: patch.config })
  const ifMatch = isChanged ? undefined : change.ifMatch
  const attribute = await patchAttribute(ctx, caller.org, { ...change, ifMatch, patch })
  return { attribute, etag: attributeEtag(attribute) }
}
