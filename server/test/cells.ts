// Makes a directory and two cells, each a separate database, for tests of the whole service with cells.
import type { ClientConfig } from 'pg'
import { addCell } from '../cells/service.ts'
import type { Pool } from '../db/pool.ts'
import { createTestDatabase, type TestDatabase, testDatabaseUrl } from './database.ts'

export interface TestCell {
  cell: number
  name: string
  pool: Pool
  connection: ClientConfig
}

export interface TestCells extends TestDatabase {
  cells: TestCell[]
  /** The value of the setting CELLS. */
  addresses: { name: string; databaseUrl: string }[]
}

const NAMES = ['one', 'two']

/** Whether all test services have cells: `TEST_CELLS=on npm test -- server`. */
export const TESTS_CELLS = process.env['TEST_CELLS'] === 'on'

/** Adds two empty databases to a directory. Call it where createTestDatabase may be called. */
export async function addTestCells(directory: Pool): Promise<Pick<TestCells, 'cells' | 'addresses'>> {
  const cells: TestCell[] = []
  const addresses: TestCells['addresses'] = []
  for (const name of NAMES) {
    const { pool, connection } = await createTestDatabase()
    const { cell } = await addCell(directory, pool, name)
    cells.push({ cell, name, pool, connection })
    addresses.push({ name, databaseUrl: testDatabaseUrl(connection.database) })
  }
  return { cells, addresses }
}

/** Call it where createTestDatabase may be called. */
export async function createTestCells(): Promise<TestCells> {
  const directory = await createTestDatabase()
  return { ...directory, ...(await addTestCells(directory.pool)) }
}
