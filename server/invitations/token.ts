// The secret of an invitation: in the link alone; the database has its hash.
import { hash, randomBytes } from 'node:crypto'

/** 32 random bytes as 43 base64url characters. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
