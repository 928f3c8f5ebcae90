// The order of attributes and the options of select attributes: changed in the dashboard.
import { isDeepStrictEqual } from 'node:util'
import type { Attribute } from '../../contract/attributes.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { AppError, invalid, invalidField } from '../errors.ts'
import { requireStorable } from '../http/storable.ts'
import { lockObject, renewVersion } from '../objects/store.ts'
import { tidyOptions } from './definition.ts'
import { countOptionUses, selectPlaces, updateOptions, updateOrder } from './option-store.ts'
import { type AttributeRef, type AttributeRow, getAttribute, listAttributes } from './store.ts'

type AttributeContext = Pick<Context, 'db'>

/** The named ones first, then the others as they are. @throws 400 validation_error */
function reordered(present: readonly { attr: number; id: string }[], named: readonly string[]): number[] {
  const attrs = new Map(present.map(({ id, attr }) => [id, attr]))
  const ids = named.map((id) => id.toLowerCase())
  const problems = ids.flatMap((id, index) => {
    const path = `ids[${index}]`
    if (!attrs.has(id)) return [{ path, code: 'invalid_reference', message: 'there is no such attribute' }]
    const first = ids.indexOf(id)
    return first === index ? [] : [{ path, code: 'duplicate', message: `is the same as ids[${first}]` }]
  })
  if (problems.length > 0) throw invalid('validation_error', problems)
  const first = new Set(ids)
  const rest = present.filter(({ id }) => !first.has(id))
  return [...ids.flatMap((id) => attrs.get(id) ?? []), ...rest.map(({ attr }) => attr)]
}

/** @returns all attributes in their new order, inactive ones too @throws 400 validation_error, 404 not_found */
export function orderAttributes(
  { db }: AttributeContext,
  org: number,
  { objectId, ids }: { objectId: string; ids: readonly string[] },
): Promise<Attribute[]> {
  return db.transaction(async (tx) => {
    const { obj } = await lockObject(tx, org, objectId)
    const attrs = reordered(await selectPlaces(tx, org, obj), ids)
    if ((await updateOrder(tx, org, attrs)) > 0) await renewVersion(tx, org, obj)
    return listAttributes(tx, org, { objectId, includeInactive: true })
  })
}

const optionsOf = ({ config }: Attribute): readonly string[] | undefined =>
  config && 'options' in config ? config.options : undefined

/** @throws 409 option_in_use */
async function requireUnused(tx: Db, org: number, use: { obj: number; slug: string; options: string[] }) {
  if (use.options.length === 0) return
  const uses = await countOptionUses(tx, org, use)
  const [first] = uses
  if (!first) return
  const more = uses.length > 1 ? `, and ${uses.length - 1} more of these options are in use` : ''
  const message = `${first.records} records have "${first.option}"${more}: give them another value first`
  throw new AppError('option_in_use', message, { uses })
}

/**
 * Replaces the options of a select attribute: added and moved freely, removed while no record has them. A value
 * that is written in the same moment may outlive its option: it stays in its record and is shown.
 * @throws 400 validation_error, 404 not_found, 409 option_in_use
 */
export function setOptions(
  { db }: AttributeContext,
  org: number,
  { options, ...ref }: AttributeRef & { options: readonly string[] },
): Promise<AttributeRow> {
  requireStorable({ options })
  return db.transaction(async (tx) => {
    const { obj } = await lockObject(tx, org, ref.objectId)
    const attribute = await getAttribute(tx, org, ref)
    const before = optionsOf(attribute)
    if (!before)
      throw invalidField(
        'options',
        'not_allowed',
        `${attribute.slug} is of type ${attribute.type}, not select`,
      )
    const wanted = tidyOptions(options, before)
    if (isDeepStrictEqual(before, wanted)) return attribute
    const removed = before.filter((option) => !wanted.includes(option))
    await requireUnused(tx, org, { obj, slug: attribute.slug, options: removed })
    await updateOptions(tx, org, { attr: attribute.attr, options: wanted })
    await renewVersion(tx, org, obj)
    return getAttribute(tx, org, ref)
  })
}
