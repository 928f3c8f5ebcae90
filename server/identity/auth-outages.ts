// When the database fails, better-auth still answers: that a session could not be read or does not exist, that an email is
// taken, or that a session has ended. So the database's error is remembered, and thrown instead of that answer.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { toAppError } from '../http/render-errors.ts'

/** The part of a pool that better-auth uses. */
interface AuthPool {
  connect(): Promise<AuthClient>
  end(): Promise<void>
}

interface AuthClient {
  query(text: string, values: unknown[]): Promise<pg.QueryResult>
  release(): void
}

interface Asked {
  failure?: unknown
}

const asking = new AsyncLocalStorage<Asked>()

/** Other errors, such as a duplicate, are left to better-auth, which explains them. */
function remember(error: unknown): never {
  const asked = asking.getStore()
  if (asked && toAppError(error).code === 'unavailable') asked.failure ??= error
  throw error
}

/** The pool for better-auth. It remembers errors of the database. */
export const rememberingFailures = (pool: pg.Pool): AuthPool => ({
  async connect() {
    const client = await pool.connect().catch(remember)
    return {
      query: (text, values) => client.query(text, values).catch(remember),
      release: () => client.release(),
    }
  },
  end: () => pool.end(),
})

/** Runs a call of better-auth. @throws the database's error, instead of better-auth's answer to it */
export const answeredBy = <Result>(work: () => Promise<Result>): Promise<Result> => {
  const asked: Asked = {}
  return asking.run(asked, async () => {
    const result = await work().catch((error: unknown) => {
      throw asked.failure ?? error
    })
    if (asked.failure !== undefined) throw asked.failure
    return result
  })
}
