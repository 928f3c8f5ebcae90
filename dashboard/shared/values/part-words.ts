const WORDS: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  line1: 'street',
  line2: 'apartment, suite',
  state: 'state or region',
  postalCode: 'postal code',
}

/** The words for a part of a value, within a sentence: firstName → first name, city → city. */
export const partWords = (part: string): string => WORDS[part] ?? part
