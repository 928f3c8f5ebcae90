// The field that a filter names: an attribute, a part of its values, a field of every record, or one of these in a
// referenced record, such as `company.industry`.
import { sentName } from '../../base/suggestions.ts'
import { attributeAt, isPartFault, type PartAttribute, type WholeAttribute } from './parts.ts'
import { isRecordField, type RecordField } from './record-fields.ts'

/** The most references that a path may follow, one after the other. */
export const REFERENCES_MAX = 2

/** An object whose attributes a path names. */
export interface PathObject<Attribute> {
  slug: string
  attribute(slug: string): Attribute | undefined
  /** The object of the referenced records; undefined: it does not exist. */
  target(reference: Attribute): PathObject<Attribute> | undefined
}

export interface FieldPath<Attribute> {
  /** The references to follow. */
  via: readonly Attribute[]
  field: Attribute | PartAttribute | RecordField
}

export interface PathFault {
  code: 'unknown_attribute' | 'unknown_part' | 'too_deep'
  message: string
}

export const isPathFault = (found: object): found is PathFault => 'message' in found

interface Step<Attribute> {
  object: PathObject<Attribute>
  /** Segments of the path that are not followed yet. */
  path: readonly string[]
  via: readonly Attribute[]
}

/** Returns the message for an unknown attribute of the object. */
type Unknown<Attribute> = (object: PathObject<Attribute>, slug: string) => string

function lastOf<Attribute extends WholeAttribute>(
  { object, path, via }: Step<Attribute>,
  unknown: Unknown<Attribute>,
): FieldPath<Attribute> | PathFault {
  const [slug = ''] = path
  const field = attributeAt((one) => object.attribute(one), path.join('.'))
  if (isPartFault(field)) return field
  if (field) return { via, field }
  if (path.length === 1 && isRecordField(slug)) return { via, field: slug }
  return { code: 'unknown_attribute', message: unknown(object, slug) }
}

function follow<Attribute extends WholeAttribute>(
  step: Step<Attribute>,
  unknown: Unknown<Attribute>,
): FieldPath<Attribute> | PathFault {
  const { object, path, via } = step
  const [slug = '', ...rest] = path
  const reference = rest.length > 0 ? object.attribute(slug) : undefined
  if (reference?.type !== 'reference') return lastOf(step, unknown)
  if (via.length >= REFERENCES_MAX)
    return {
      code: 'too_deep',
      message: `must follow at most ${REFERENCES_MAX} references, such as "company.parent.name": ${sentName(slug)} is one more`,
    }
  const target = object.target(reference)
  if (target) return follow({ object: target, path: rest, via: [...via, reference] }, unknown)
  return {
    code: 'unknown_attribute',
    message: `${slug} refers to an object that does not exist: send only ${slug}`,
  }
}

/** @param path a slug, or several with points between them */
export function fieldAt<Attribute extends WholeAttribute>(
  object: PathObject<Attribute>,
  path: unknown,
  unknown: Unknown<Attribute>,
): FieldPath<Attribute> | PathFault {
  return follow(
    { object, path: typeof path === 'string' ? path.split('.') : [String(path)], via: [] },
    unknown,
  )
}
