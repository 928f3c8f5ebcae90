// The setting CELLS: the addresses of the databases of cells, by name.
import { ConfigError } from './environment.ts'

export interface CellAddress {
  name: string
  databaseUrl: string
}

const CELL = /^([a-z][a-z0-9-]{0,30})=(postgres(?:ql)?:\/\/\S+)$/

/** The name in an invalid part, for the message. It never contains a piece of the address. */
const nameOf = (part: string) => /^[\w-]+(?==|$)/.exec(part)?.[0] ?? 'a part without a name'

/** Errors do not show the addresses, because they contain passwords. */
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
