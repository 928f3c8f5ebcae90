const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in a sentence, to the minute. @param moment ISO 8601 */
export const formatInstant = (moment: string): string => format.format(new Date(moment))
