// A transaction that a dry run rolls back after its result is known.
import type { Db } from './pool.ts'

class RolledBack<Result> extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('A dry run is rolled back')
    this.result = result
  }
}

export async function inDryRun<Result>(
  db: Db,
  isDryRun: boolean | undefined,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      if (isDryRun) throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as Result
    throw error
  }
}
