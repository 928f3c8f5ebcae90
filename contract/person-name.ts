// Reads a person's name from one text. The server and the dashboard share this code.

export interface PersonName {
  firstName?: string
  lastName?: string
}

/** The text trimmed, with single spaces. */
const words = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** With one comma between two texts: "Last, First". Otherwise the last word is the last name. */
export function readName(text: string): PersonName {
  const [before = '', after = '', another] = text.split(',').map(words)
  if (before !== '' && after !== '' && another === undefined) return { firstName: after, lastName: before }
  const name = words(text)
  const at = name.lastIndexOf(' ')
  return at === -1 ? { firstName: name } : { firstName: name.slice(0, at), lastName: name.slice(at + 1) }
}
