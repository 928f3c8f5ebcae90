// Queries whose filter or sort follows a reference, such as `company.industry`: records of the other object decide
// which rows they have.

/** The objects that the page has loaded. */
export interface Objects {
  /** The slug of an object; undefined if it is not loaded. */
  slugOf(objectId: string): string | undefined
  /**
   * The id of the object that an attribute refers to; null if it refers to none, undefined if the object is not loaded.
   * @param object id or slug
   */
  targetOf(object: string, attribute: string): string | null | undefined
}

/** The attributes that filters and sorts in a part of a query key name. */
function attributesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    (name === 'attributeSlug' || name === 'field') && typeof value === 'string'
      ? [value]
      : attributesIn(value),
  )
}

function passes(path: string, object: string, objectId: string, { targetOf }: Objects): boolean {
  let at = object
  for (const attribute of path.split('.').slice(0, -1)) {
    const target = targetOf(at, attribute)
    if (target === null) return false
    if (target === undefined || target === objectId) return true
    at = target
  }
  return false
}

/**
 * Whether a filter or sort of the query follows a reference to the object, or may do so.
 * @param object id or slug of the object whose records the query reads
 */
export const followsTo = (
  objectId: string,
  { object, parts }: { object: string; parts: readonly unknown[] },
  objects: Objects,
): boolean => parts.flatMap(attributesIn).some((path) => passes(path, object, objectId, objects))
