// Which attributes have a row in the form of a record's values.
import type { Attribute } from '../../../../shared/api/objects.ts'

interface Rows {
  /** Those with a value and those that lack one, in the order of the object. */
  shown: Attribute[]
  /** That can be added. */
  others: Attribute[]
  /** Slugs that no attribute has (any more). */
  gone: string[]
}

/** @param isNeeded whether the service asks for a value of it */
export function shownAttributes(
  attributes: readonly Attribute[],
  data: Readonly<Record<string, unknown>>,
  isNeeded: (slug: string) => boolean,
): Rows {
  const isShown = ({ slug }: Attribute) => Object.hasOwn(data, slug) || isNeeded(slug)
  return {
    shown: attributes.filter(isShown),
    others: attributes.filter((attribute) => !isShown(attribute)),
    gone: Object.keys(data).filter((slug) => !attributes.some((attribute) => attribute.slug === slug)),
  }
}
