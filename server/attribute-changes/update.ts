// Changes the definition of an attribute: its name, whether it is required, its default, whether its values are unique,
// and whether their case counts.
import type { preValidationAsyncHookHandler } from 'fastify'
import type { AttributePatch } from '../../contract/attributes.ts'
import type { Caller } from '../base/caller.ts'
import { invalidField } from '../base/errors.ts'
import type { BeforeTransaction } from '../http/request.ts'
import { requireStorable } from '../http/storable.ts'
import { refuseNaming } from '../model/attributes/definition.ts'
import { patchAttribute } from '../model/attributes/service.ts'
import {
  type AttributeRef,
  type AttributeRow,
  attributeEtag,
  getAttribute,
} from '../model/attributes/store.ts'
import type { RecordContext } from '../records/context.ts'
import { changeCase } from './case.ts'
import { readingDefault } from './default-value.ts'
import { changeUnique } from './unique.ts'

export const refuseOthers: preValidationAsyncHookHandler = async ({ body }) => refuseNaming(body)

interface RuleChange extends AttributeRef {
  ifMatch: string | undefined
  patch: AttributePatch
}

/** @returns whether the attribute has changed and has another ETag */
async function changeRules(ctx: RecordContext, caller: Caller, change: RuleChange): Promise<boolean> {
  const { patch, ...ref } = change
  const { isUnique, config, defaultValue } = patch
  // Makes all checks that can refuse the request first, so that no change is applied only in part.
  requireStorable(patch)
  if (config && defaultValue !== undefined && defaultValue !== null)
    throw invalidField(
      'defaultValue',
      'not_allowed',
      'must be null or omitted when config is sent: unique attributes have no default',
    )
  const other = config ? 'config' : defaultValue === undefined ? undefined : 'defaultValue'
  if (other && isUnique !== undefined && isUnique !== (await getAttribute(ctx.db, caller.org, ref)).isUnique)
    throw invalidField(other, 'not_allowed', 'must be left out where isUnique changes: send it by itself')
  const isChanged = await changeUnique(ctx, caller, { ...ref, isUnique })
  const ifMatch = isChanged ? undefined : ref.ifMatch
  return (await changeCase(ctx, caller, { ...ref, ifMatch, config })) || isChanged
}

/** A request with an Idempotency-Key runs in a transaction, but a change of the rules needs several transactions. */
export const changeRulesFirst: BeforeTransaction = async (request, work) => {
  const { ctx, caller, params, body, headers } = request
  const change = { ...(params as AttributeRef), ifMatch: headers['if-match'], patch: body as AttributePatch }
  // If-Match was checked before the change, which gives the attribute another ETag.
  if (await changeRules(ctx, caller, change)) delete headers['if-match']
  return work()
}

/**
 * @throws 400 validation_error, 403 standard_object, 404 not_found, 409 case_conflict, duplicate_values,
 * options_changing, wrong_state, 412 precondition_failed, 503 unavailable
 */
export async function saveAttribute(
  ctx: RecordContext,
  caller: Caller,
  change: RuleChange,
): Promise<{ attribute: AttributeRow; etag: string }> {
  const ifMatch = (await changeRules(ctx, caller, change)) ? undefined : change.ifMatch
  const readDefault = readingDefault(caller)
  const attribute = await patchAttribute(ctx, caller.org, { ...change, ifMatch, readDefault })
  return { attribute, etag: attributeEtag(attribute) }
}
