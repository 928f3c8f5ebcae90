// The setting CELLS: where the databases of cells are, by name.
import { ConfigError } from './environment.ts'

/** A cell and where it is. */
export interface CellAddress {
  name: string
  databaseUrl: string
}

const CELL = /^([a-z][a-z0-9-]{0,30})=(postgres(?:ql)?:\/\/\S+)$/

/** Of a part that is wrong: what could be a name, and no part of an address. */
const nameOf = (part: string) => /^[\w-]+(?==|$)/.exec(part)?.[0] ?? 'a part without a name'

/** The addresses are not shown: they hold passwords. */
export function cellAddresses(text = ''): CellAddress[] {
  const parts = text.split(/\s+/).filter((part) => part !== '')
  const cells = parts.map((part) => {
    const [, name, databaseUrl] = CELL.exec(part) ?? []
    if (name === undefined || databaseUrl === undefined || !URL.canParse(databaseUrl))
      throw new ConfigError(
        `CELLS must be names and addresses separated by spaces, such as eu=postgres://user:password@host/database; ${nameOf(part)} is not`,
      )
    return { name, databaseUrl }
  })
  const twice = cells.find(({ name }, place) => cells.findIndex((one) => one.name === name) < place)
  if (twice) throw new ConfigError(`CELLS names ${twice.name} twice: give each cell its own name`)
  return cells
}
