// A comment while it is written: mentions as `@name`, as people read them.
import { mentionOf, withNames } from '../../../../contract/mentions.ts'

/** A member who can be mentioned, under a name that no other member has. */
export interface Mentionable {
  id: string
  name: string
}

/** Members who share a name are told apart by their email. */
export function mentionables(users: readonly { id: string; name: string; email: string }[]): Mentionable[] {
  const counts = Map.groupBy(users, ({ name }) => name)
  return users.map(({ id, name, email }) => ({
    id,
    name: name === '' || (counts.get(name)?.length ?? 0) > 1 ? `${name} (${email})`.trim() : name,
  }))
}

/** As the service keeps it. Of names that begin alike the longest counts. */
export function toStored(written: string, members: readonly Mentionable[]): string {
  const byLength = members.toSorted((a, b) => b.name.length - a.name.length)
  let stored = ''
  for (let at = 0; at < written.length; ) {
    const member =
      written[at] === '@' ? byLength.find(({ name }) => written.startsWith(name, at + 1)) : undefined
    stored += member ? mentionOf(member.id) : written[at]
    at += member ? member.name.length + 1 : 1
  }
  return stored
}

export const toWritten = (stored: string, members: readonly Mentionable[]): string =>
  withNames(stored, (id) => members.find((member) => member.id === id)?.name ?? id)

export interface Query {
  /** Where its `@` is. */
  start: number
  text: string
}

/** What is typed behind an `@` up to the cursor; undefined: no mention is being typed. */
export function queryAt(written: string, cursor: number): Query | undefined {
  const before = written.slice(0, cursor)
  const match = /(?:^|[\s([])@([^\s@]*(?: [^\s@]*)?)$/.exec(before)
  if (!match) return undefined
  const text = match[1] ?? ''
  return { start: cursor - text.length - 1, text }
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

/** Those of whom a word begins with what is typed. */
export const matching = (members: readonly Mentionable[], { text }: Query): Mentionable[] =>
  members.filter(({ name }) => fold(` ${name}`).includes(fold(` ${text}`)))

/** The text with the member in place of what was typed, and where the cursor is then. */
export function withMention(
  written: string,
  { start, text }: Query,
  { name }: Mentionable,
): { written: string; cursor: number } {
  const inserted = `@${name} `
  const rest = written.slice(start + 1 + text.length).replace(/^ /, '')
  return { written: written.slice(0, start) + inserted + rest, cursor: start + inserted.length }
}

/** A text in pieces, addresses of pages apart. */
export const linkParts = (text: string): { text: string; isLink: boolean }[] =>
  text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/)
    .map((piece, index) => ({ text: piece, isLink: index % 2 === 1 && URL.canParse(piece) }))
    .filter((piece) => piece.text !== '')
