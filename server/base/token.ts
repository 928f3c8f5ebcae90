// The secret of a link or a sign-in, which grants access without other proof. The database stores only its hash.
import { hash, randomBytes } from 'node:crypto'

// The optional second part is an organization, which determines the cell (server/cells).
const TOKEN = /^[\w-]{43}([\w-]{22})?$/

const SECRET_LENGTH = 43

/** 32 random bytes as 43 base64url characters. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** A token that is looked up in the cell of its organization. In cell 0 the token contains no organization. */
export const makeTokenIn = (cell: number, orgId: string): string =>
  makeToken() + (cell === 0 ? '' : bytesOf(orgId).toString('base64url'))

/** A new token with the same organization as `token`, or without one. */
export const makeTokenLike = (token: string): string => makeToken() + token.slice(SECRET_LENGTH)

/** The public id of the organization in the token; undefined if there is none. */
export function organizationOf(token: string): string | undefined {
  const [, end] = TOKEN.exec(token) ?? []
  if (end === undefined) return undefined
  const hex = Buffer.from(end, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether the text could be a token. */
export const isTokenShaped = (text: string): boolean => TOKEN.test(text)

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
