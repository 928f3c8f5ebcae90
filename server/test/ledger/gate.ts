// Where the service answers at the moment. Writers wait here while it is dead.
import { Pool } from 'undici'

export interface Gate {
  /** The connections to the living service; waits for it. */
  pass(): Promise<Pool>
  /** Resolves when a writer has its first answer there. */
  open(address: string): Promise<void>
  /** A writer has an answer. */
  heard(): void
  /** Requests under way are left to what becomes of them. */
  close(): void
}

const CONNECTIONS = 16

export function createGate(): Gate {
  let pool: Pool | undefined
  let opening = Promise.withResolvers<Pool>()
  let hearing = Promise.withResolvers<void>()
  return {
    pass: () => opening.promise,
    heard: () => hearing.resolve(),
    open(address) {
      hearing = Promise.withResolvers()
      pool = new Pool(address, { connections: CONNECTIONS })
      opening.resolve(pool)
      return hearing.promise
    },
    close() {
      opening = Promise.withResolvers()
      // Not `destroy`: an answer that was sent just before the end may still be read.
      void pool?.close()
      pool = undefined
    },
  }
}
