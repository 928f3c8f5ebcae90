// The secret of a link or a session that grants access by itself; the database stores only its hash.
import { hash, randomBytes } from 'node:crypto'

const TOKEN = /^[\w-]{43}$/

/** 32 random bytes as 43 base64url characters. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

/** Whether the text could be a token. */
export const isTokenShaped = (text: string): boolean => TOKEN.test(text)

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
