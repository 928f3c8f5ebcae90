/** A name within a sentence. The capitals of an abbreviation stay. */
export const inSentence = (name: string): string =>
  /^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
