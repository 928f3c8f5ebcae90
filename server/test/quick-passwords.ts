// Fast hashes of passwords: a real one takes 80 ms of processor time, by design. Tests of whole processes and of
// `createAuth` use real hashes.
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'

const hashOf = (password: string) => `quick:${createHash('sha256').update(password).digest('hex')}`

const QUICK = {
  hash: async (password: string) => hashOf(password),
  verify: async ({ hash, password }: { hash: string; password: string }) => hash === hashOf(password),
}

/** The same sign-in with fast hashes. */
export const withQuickPasswords =
  (auth: Context['auth']): Context['auth'] =>
  async () => {
    const opened = await auth()
    const { password } = await opened.context
    Object.assign(password, QUICK)
    return opened
  }
