// Columns of references that name records by one attribute of their object: `company.domain`.
import { namingAttribute } from '../../contract/record-name.ts'
import type { Caller } from '../base/caller.ts'
import { invalidField } from '../base/errors.ts'
import { instead, sentName } from '../base/suggestions.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import { uniqueAttributes } from '../model/attributes/unique-attributes.ts'
import type { Column } from '../records/import/columns.ts'
import type { ImportContext } from './context.ts'
import { withCurrentModel } from './current-model.ts'

/** The attributes that cells may name records by: the naming attribute and the unique attributes. */
function naming(target: ObjectModel): ModelAttribute[] {
  const first = namingAttribute([...target.attributes.values()])
  return [...new Set([...(first ? [first] : []), ...uniqueAttributes(target)])]
}

/** The attributes that cells may name records by, by the slug of the reference. */
export async function referredAttributes(
  ctx: ImportContext,
  { org }: Pick<Caller, 'org'>,
  { attributes }: ObjectModel,
): Promise<Map<string, ModelAttribute[]>> {
  const referred = new Map<string, ModelAttribute[]>()
  for (const { slug, config } of attributes.values())
    if (config && 'allowed_object_id' in config)
      referred.set(slug, await withCurrentModel(ctx, org, config.allowed_object_id, naming))
  return referred
}

/**
 * @param pathOf the place of the column in the request
 * @throws 400 validation_error for a part that names no record
 */
export async function requireReferred<One extends Pick<Column, 'attribute' | 'part'>>(
  ctx: ImportContext,
  caller: Caller,
  columns: readonly One[],
  pathOf: (column: One) => string,
): Promise<void> {
  for (const column of columns) {
    const { attribute, part } = column
    const { config, slug } = attribute
    if (part === undefined || !config || !('allowed_object_id' in config)) continue
    const attributes = await withCurrentModel(ctx, caller.org, config.allowed_object_id, naming)
    const known = attributes.map((one) => one.slug)
    if (known.includes(part)) continue
    const message = `${slug} is named by no attribute ${sentName(part)}: ${instead(part, known)}`
    throw invalidField(pathOf(column), 'unknown_part', message)
  }
}
