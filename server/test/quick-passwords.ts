// Fast hashes of passwords: a real one takes 80 ms of processor time, by design. Tests of whole processes and of
// passwords use real hashes.
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Auth } from '../identity/auth.ts'

const hashOf = (password: string) => `quick:${createHash('sha256').update(password).digest('hex')}`

const QUICK = {
  hash: async (password: string) => hashOf(password),
  verify: async ({ hash, password }: { hash: string; password: string }) => hash === hashOf(password),
}

/** Replaces the hashes of a sign-in. @returns the same sign-in */
export async function withQuickHashes(opened: Auth): Promise<Auth> {
  const { password } = await opened.context
  Object.assign(password, QUICK)
  return opened
}

/** The same sign-in with fast hashes. */
export const withQuickPasswords =
  (auth: Context['auth']): Context['auth'] =>
  async () =>
    withQuickHashes(await auth())
