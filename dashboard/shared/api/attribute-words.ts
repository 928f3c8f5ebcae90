// Messages of the service about values of a record, with the attribute's name instead of its slug.
interface Said {
  attributeSlug: string
  /** Begins with the slug, or with "activity". */
  message: string
  activityId?: string | null
}

interface Named {
  slug: string
  name: string
}

/**
 * A sentence without its full stop. @param attributes of the record's object; the message may be about another object's
 * attribute
 */
export function attributeWords(
  { attributeSlug, message, activityId }: Said,
  attributes: readonly Named[],
): string {
  const own = attributes.find(({ slug }) => slug === attributeSlug)?.name
  const what = activityId ? 'An activity' : (own ?? 'A value of another record')
  return `${what}: ${message.replace(/^[^:]*: /, '').replace(/\.$/, '')}`
}
