// When its database fails, better-auth answers all the same: that a session could not be read, that there is none, that an
// email is taken, or that a session has ended. What the database threw is remembered, and thrown in place of the answer.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { toAppError } from '../http/render-errors.ts'

/** What better-auth asks of a pool. */
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

/** A refusal, such as of a duplicate, is better-auth's to explain. */
function remember(error: unknown): never {
  const asked = asking.getStore()
  if (asked && toAppError(error).code === 'unavailable') asked.failure ??= error
  throw error
}

/** The same pool for better-auth. */
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

/** Asks better-auth. @throws what the database threw, in place of what better-auth made of it */
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
