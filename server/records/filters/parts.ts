// Parts of values as attributes that filters and sorts name by a path: `address.city`, `name.lastName`, `amount.currency`.
import { type AttributeType, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { instead, sentName } from '../../base/suggestions.ts'
import { isNode } from './parse.ts'

/** The attribute that has the part. */
export interface WholeAttribute {
  slug: string
  type: AttributeType
  isList: boolean
}

/** An attribute, or a part of its values. */
export interface PartAttribute extends WholeAttribute {
  part: { of: WholeAttribute; name: string }
}

export interface PartFault {
  code: 'unknown_part'
  message: string
}

export const partsOf = ({ type }: Pick<WholeAttribute, 'type'>): readonly string[] =>
  TYPE_CONTRACTS[type].parts ?? []

const noPart = (whole: WholeAttribute, name: string): PartFault => {
  const parts = partsOf(whole)
  return {
    code: 'unknown_part',
    message:
      parts.length > 0
        ? `${whole.slug} has no part ${sentName(name)}: ${instead(name, parts)}`
        : `${whole.slug} is of type ${whole.type}, which has no parts: send only ${whole.slug}`,
  }
}

/** The amount of a currency is compared like the attribute itself. Other parts are texts. */
function partOf<Attribute extends WholeAttribute>(whole: Attribute, name: string) {
  if (!partsOf(whole).includes(name)) return noPart(whole, name)
  const { slug, type, isList } = whole
  if (type === 'currency' && name === 'amount') return whole
  return { slug: `${slug}.${name}`, type: 'text' as const, isList, part: { of: whole, name } }
}

/** @param path a slug, or a slug and a part @returns undefined when no attribute has the slug */
export function attributeAt<Attribute extends WholeAttribute>(
  find: (slug: string) => Attribute | undefined,
  path: unknown,
): Attribute | PartAttribute | PartFault | undefined {
  if (typeof path !== 'string') return undefined
  const [slug = '', ...parts] = path.split('.')
  const whole = find(slug)
  return whole === undefined || parts.length === 0 ? whole : partOf(whole, parts.join('.'))
}

export const isPartFault = (found: object | undefined): found is PartFault =>
  found !== undefined && 'message' in found

/** The values of a part: of one value, or of each value of a list. */
export function valuesOfPart(value: unknown, name: string): unknown[] {
  return [value].flat().flatMap((one) => (isNode(one) && Object.hasOwn(one, name) ? [one[name]] : []))
}
