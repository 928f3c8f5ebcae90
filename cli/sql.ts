// rapport sql: runs statements on the installation's database, for developers. npm installs PostgreSQL without psql.
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import type { ClientConfig, QueryArrayResult } from 'pg'
import { counted } from '../contract/counted.ts'
import { readConfig } from '../server/config/config.ts'
import { openDatabase, withClient } from '../server/db/database.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'

interface SqlOptions extends OutputOptions {
  write?: true
}

/** Keeps values as the texts of PostgreSQL; null is an empty cell. */
const AS_TEXT = { getTypeParser: () => (value: string) => value }

type Answer = QueryArrayResult<string[]>

/** @returns the result of the last statement */
const write = (connection: ClientConfig, statements: string): Promise<Answer> =>
  withClient(connection, async (client) => {
    const answers = await client.query<string[]>({ text: statements, rowMode: 'array', types: AS_TEXT })
    return [answers].flat().at(-1) ?? answers
  })

const SEVERAL = 'cannot insert multiple commands into a prepared statement'

/**
 * Runs one statement in a read-only transaction, which cannot be made writable after its first query. The extended
 * protocol accepts no second statement, which could write after a `commit`. A setting of the connection is no
 * alternative: behind a pooler, other clients would get it.
 */
const read = (connection: ClientConfig, statement: string): Promise<Answer> =>
  withClient(connection, async (client) => {
    await client.query('begin read only; select')
    const query = { text: statement, rowMode: 'array' as const, types: AS_TEXT, queryMode: 'extended' }
    return client.query<string[]>(query).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== SEVERAL) throw error
      throw new Error('This is several statements: send one at a time, or use --write', { cause: error })
    })
  })

async function run(statement: string | undefined, options: SqlOptions): Promise<void> {
  const database = await openDatabase(readConfig(process.env), { mode: 'attach' })
  try {
    const { connection } = database
    const ask = options.write ? write : read
    const { fields, rows, rowCount } = await ask(connection, statement ?? (await text(process.stdin)))
    const names = fields.map(({ name }) => name)
    const cells = rows.map((row) => row.map((cell) => cell ?? ''))
    const objects = rows.map((row) =>
      Object.fromEntries(names.map((name, column) => [name, row[column] ?? null])),
    )
    print(options, objects, () =>
      names.length > 0 ? table(names, cells, 'No rows.') : [`${counted(rowCount ?? 0, 'row')} changed.`],
    )
  } finally {
    await database.stop()
  }
}

const HELP = `
While the service runs, the command uses its PostgreSQL. Otherwise it starts PostgreSQL for this one command.

Examples:
  $ rapport sql 'select slug, name from organizations'
  $ rapport sql --write < change.sql`

export const sqlCommand = (): Command =>
  new Command('sql')
    .description('Run SQL on the database; it only reads, unless --write is given')
    .argument('[statement]', 'SQL; without it, standard input')
    .option('--write', 'let statements change data; several are run in one go')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action((statement, options) => run(statement, options))
