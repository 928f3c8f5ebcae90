// The text of a comment during editing, where mentions are `@name`.
import { mentionOf, withNames } from '../../../../contract/mentions.ts'

/** A member who can be mentioned, under a name that no other member has. */
export interface Mentionable {
  id: string
  name: string
}

/** Adds the email to names that several members have. */
export function mentionables(users: readonly { id: string; name: string; email: string }[]): Mentionable[] {
  const counts = Map.groupBy(users, ({ name }) => name)
  return users.map(({ id, name, email }) => ({
    id,
    name: name === '' || (counts.get(name)?.length ?? 0) > 1 ? `${name} (${email})`.trim() : name,
  }))
}

/** The text as the service stores it. If several names match, the longest is used. */
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
  /** Position of the `@`. */
  start: number
  text: string
}

/** The text from an `@` to the cursor; undefined: no mention is being typed. */
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

/** Members whose name has a word that begins with the typed text. */
export const matching = (members: readonly Mentionable[], { text }: Query): Mentionable[] =>
  members.filter(({ name }) => fold(` ${name}`).includes(fold(` ${text}`)))

/** Replaces the typed text by the member's name. Returns the new text and the new position of the cursor. */
export function withMention(
  written: string,
  { start, text }: Query,
  { name }: Mentionable,
): { written: string; cursor: number } {
  const inserted = `@${name} `
  const rest = written.slice(start + 1 + text.length).replace(/^ /, '')
  return { written: written.slice(0, start) + inserted + rest, cursor: start + inserted.length }
}

/** Splits a text into web addresses and the pieces between them. */
export const linkParts = (text: string): { text: string; isLink: boolean }[] =>
  text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/)
    .map((piece, index) => ({ text: piece, isLink: index % 2 === 1 && URL.canParse(piece) }))
    .filter((piece) => piece.text !== '')
