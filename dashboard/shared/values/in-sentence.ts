/** The name of an attribute within a sentence. The capitals of an abbreviation stay. */
export const inSentence = (name: string): string =>
  /^.[A-Z]/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
