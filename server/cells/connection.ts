// The connection to the database of a cell.
import type { Config } from '../config/config.ts'
import { externalConnection } from '../db/database.ts'

/** @returns undefined: CELLS does not name it */
export function cellConnection(config: Pick<Config, 'cells' | 'databasePooler'>, name: string) {
  const address = config.cells.find((one) => one.name === name)
  return address && externalConnection(address.databaseUrl, config)
}
