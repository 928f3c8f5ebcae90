// How a name in one text is read: server and dashboard read it alike.

export interface PersonName {
  firstName?: string
  lastName?: string
}

/** Trimmed, with one space where there were several. */
const words = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** "Last, First", where there is one comma between texts; else the last word is the last name. */
export function readName(text: string): PersonName {
  const [before = '', after = '', another] = text.split(',').map(words)
  if (before !== '' && after !== '' && another === undefined) return { firstName: after, lastName: before }
  const name = words(text)
  const at = name.lastIndexOf(' ')
  return at === -1 ? { firstName: name } : { firstName: name.slice(0, at), lastName: name.slice(at + 1) }
}
