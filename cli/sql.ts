// rapport sql: statements on the installation's database, for developers; npm has the server of PostgreSQL, but no psql.
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import type { ClientConfig, QueryArrayResult } from 'pg'
import { readConfig } from '../server/config.ts'
import { openDatabase, withClient } from '../server/db/database.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'

interface SqlOptions extends OutputOptions {
  write?: true
}

/** Values as PostgreSQL writes them, null as an empty cell. */
const AS_TEXT = { getTypeParser: () => (value: string) => value }

/** @returns the answer of the last of the statements */
const ask = (
  connection: ClientConfig,
  statements: string,
  options: SqlOptions,
): Promise<QueryArrayResult<string[]>> =>
  withClient(connection, async (client) => {
    // Not a setting of the session: behind a pooler others would have it next.
    if (!options.write) await client.query('begin read only')
    const answers = await client.query<string[]>({ text: statements, rowMode: 'array', types: AS_TEXT })
    return [answers].flat().at(-1) ?? answers
  })

async function run(statement: string | undefined, options: SqlOptions): Promise<void> {
  const database = await openDatabase(readConfig(process.env), { mode: 'attach' })
  try {
    const { connection } = database
    const { fields, rows, rowCount } = await ask(
      connection,
      statement ?? (await text(process.stdin)),
      options,
    )
    const names = fields.map(({ name }) => name)
    const cells = rows.map((row) => row.map((cell) => cell ?? ''))
    const objects = rows.map((row) =>
      Object.fromEntries(names.map((name, column) => [name, row[column] ?? null])),
    )
    print(options, objects, () =>
      names.length > 0 ? table(names, cells, 'No rows.') : [`${rowCount ?? 0} rows changed.`],
    )
  } finally {
    await database.stop()
  }
}

const HELP = `
Beside a running service it uses that service's PostgreSQL, otherwise it starts it for this one command.

Examples:
  $ rapport sql 'select slug, name from organizations'
  $ rapport sql --write < change.sql`

export const sqlCommand = (): Command =>
  new Command('sql')
    .description('Run SQL on the database; it only reads, unless --write is given')
    .argument('[statement]', 'SQL; without it, standard input')
    .option('--write', 'let statements change data')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action((statement, options) => run(statement, options))
