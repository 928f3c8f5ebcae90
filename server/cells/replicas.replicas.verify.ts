// Replicas of cells (DATABASE_REPLICA_URLS, name=url).
import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { openCells } from '../entry/open-cells.ts'
import { buildTestService } from '../test/build-app.ts'
import { createTestCells } from '../test/cells.ts'
import { testDatabaseUrl } from '../test/database.ts'
import type { OpenedCells } from './cells.ts'

test('a cell opens with a replica of another database, and does not read from it', async () => {
  const { pool, connection, cells, addresses } = await createTestCells()
  const [first] = cells
  if (!first) return expect.fail('no cell')
  const wrong = { cell: first.name, databaseUrl: testDatabaseUrl(String(connection.database)) }
  const config = {
    databaseUrl: testDatabaseUrl(String(connection.database)),
    cells: addresses,
    replicas: [wrong],
  }
  const { ctx } = await buildTestService(config, undefined, { pool, connection, addresses })
  const opened = await openCells({ ctx, cells: ctx.cells as OpenedCells<Context> })
  try {
    await opened.settled(10_000)
    const { replicas } = opened.get(first.cell).ctx
    expect(replicas?.status).toMatchObject([{ state: 'other_database' }])
    expect(await replicas?.choose('list', undefined, 1)).toBeUndefined()
    // The directory has no replica: the configured address is for the cell.
    expect(ctx.replicas).toBeUndefined()
  } finally {
    await opened.close()
  }
})
