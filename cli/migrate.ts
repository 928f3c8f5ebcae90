// rapport migrate: migrates the database, as every start does.
import { Command } from 'commander'
import { JSON_OUTPUT, type OutputOptions, print } from './output.ts'
import { withSession } from './session.ts'

async function migrate(options: OutputOptions): Promise<void> {
  // Warnings are shown, because a migration may wait for a long transaction and logs this.
  const { applied, missing } = await withSession(
    async ({ migrated, unpreparedCells }) => ({ applied: migrated, missing: await unpreparedCells() }),
    'warn',
  )
  print(options, { applied }, () =>
    applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `applied ${name}`),
  )
  if (missing.length > 0)
    throw new Error(
      `Not migrated: the cells ${missing.join(', ')}: the log above says why. Run rapport migrate again`,
    )
}

const HELP = `
The service migrates at every start, too, and so does every command that opens the database with the
settings of the service, such as org, keys and cells; doctor, status and sql do not. Each migration is applied entirely or not at all, and those before one that fails
stay applied. Processes of the version before go on reading meanwhile. Cells that respond are migrated too; the exit code is
1 when one is not.

Examples:
  $ rapport migrate
  $ rapport migrate --json`

export const migrateCommand = (): Command =>
  new Command('migrate')
    .description('Apply pending migrations to the database')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(migrate)
