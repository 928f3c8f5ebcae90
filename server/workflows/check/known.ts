import { type ToldNames, toldNames } from '../../base/told-names.ts'
import type { PathObject } from '../../records/filters/paths.ts'
import type { Locale, ValueAttribute } from '../../records/values/attribute.ts'

/** An object that definitions can use, with its active attributes. */
export interface KnownObject {
  id: string
  slug: string
  isActive: boolean
  attributes: readonly ValueAttribute[]
}

/** The parts of an organization that definitions can refer to. */
export interface Known {
  objects: readonly KnownObject[]
  endpoints: readonly string[]
  reports: readonly string[]
  secrets: readonly string[]
  locale: Locale
  /** User ids of members, by the emails that filters use. */
  members: Locale['members']
}

/** @param ref an id or a slug */
export const findObject = ({ objects }: Pick<Known, 'objects'>, ref: string): KnownObject | undefined =>
  objects.find(({ slug }) => slug === ref) ?? objects.find(({ id }) => id === ref.toLowerCase())

export const findAttribute = (object: KnownObject, slug: string): ValueAttribute | undefined =>
  object.attributes.find((attribute) => attribute.slug === slug)

/** An object with the objects that its references lead to. */
export const pathObjectOf = (
  known: Pick<Known, 'objects'>,
  object: KnownObject,
): PathObject<ValueAttribute> => ({
  slug: object.slug,
  attribute: (slug) => findAttribute(object, slug),
  target({ config }) {
    const ref = config && 'allowed_object_id' in config ? config.allowed_object_id : undefined
    const target = typeof ref === 'string' ? findObject(known, ref) : undefined
    return target && pathObjectOf(known, target)
  },
})

/** The attribute slugs that messages may show to the caller. */
export const toldSlugs = (
  object: KnownObject,
  { locale }: Pick<Known, 'locale'>,
  more: readonly string[] = [],
): ToldNames => toldNames(locale, 'attributes', [...object.attributes.map(({ slug }) => slug), ...more])
