// rapport restore: restores a backup into a new data folder, to its last change or to a given time.
import { Command, InvalidArgumentError } from 'commander'
import { otherOwner } from '../server/base/ownership.ts'
import { readConfig } from '../server/config/config.ts'
import { backupTarget, watchBytes, withBackups } from './backup.ts'
import { JSON_OUTPUT, type OutputOptions, print } from './output.ts'
import { isComplete, restoreLines } from './restore-lines.ts'
import { openLog, withStopSignal } from './session.ts'

interface RestoreOptions extends OutputOptions {
  from?: string
  backup?: string
  chain?: string
  to?: Date
  unauthenticated?: true
  incomplete?: true
  dataDir: string
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)$/i

function parseTime(text: string): Date {
  const time = new Date(text.replace(' ', 'T'))
  if (TIME.test(text) && !Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('It must be a time with its zone, such as 2026-11-23T16:04:59Z')
}

/** Advice if the restored files belong to root, because the service rarely runs as root. */
const ownerLines = (dataDir: string): string[] =>
  process.getuid?.() === 0 && otherOwner(dataDir) === undefined
    ? [`Its files belong to root. If the service runs as another account: chown -R <account>: ${dataDir}`]
    : []

async function restore(options: RestoreOptions): Promise<void> {
  const config = readConfig(process.env)
  const { pickBackup } = await import('../server/operations/backup/choose.ts')
  const { restoreBackup } = await import('../server/operations/backup/restore.ts')
  const {
    backup: id,
    chain,
    to,
    from,
    dataDir,
    unauthenticated: isUnauthenticated,
    incomplete: isIncomplete,
  } = options
  const place = { to, from, dataDir, isUnauthenticated, isIncomplete, keySettings: config }
  const { onProgress, stop } = watchBytes('Restoring')
  const onNotice = (line: string) => openLog(config).info(line)
  const restored = await withStopSignal((signal) =>
    withBackups(config, backupTarget(config, options.from, '--from'), async (vault) => {
      const backup = await pickBackup(vault, { id, chain, to })
      return restoreBackup({ ...place, vault, backup, signal, onProgress, onNotice })
    }),
  ).finally(stop)
  print(options, restored, () => [
    ...restoreLines(restored),
    ...ownerLines(restored.dataDir),
    `Start the service with DATA_DIR=${restored.dataDir}. It then continues deliveries and workflows that were waiting at that time.`,
  ])
  if (!isComplete(restored)) process.exitCode = 1
}

const HELP = `
The folder must be empty or new; nothing else is changed. A restore that was interrupted is continued by the same
command; the service does not start on it before. As root, make the folder first, for the account that runs the
service: its files get the owner of the folder. The exit code is 1 when the wanted moment could not be reached or files
are missing: the folder then has everything up to the moment that is named.
BACKUP_KEY decrypts encrypted backups. The restored service sends what was waiting at that time: webhooks
that were delivered later are delivered again. See docs/operators/backup.md.

Examples:
  $ rapport restore --data-dir /var/lib/rapport-restored
  $ rapport restore --from /mnt/backups/rapport --to 2026-11-23T16:04:59Z --data-dir ./restored`

export const restoreCommand = (): Command =>
  new Command('restore')
    .description('Restore a backup into a new data folder, as of its last change or of a moment')
    .option('--from <folder or s3 url>', 'where the backups are (default: BACKUP_URL)')
    .option('--backup <id>', 'the backup (default: the newest that is not later than --to)')
    .option('--chain <id>', 'of several installations: the chain of its backups (see rapport backup list)')
    .option('--to <time>', 'the moment, with its zone; everything committed later is left out', parseTime)
    .option('--incomplete', 'restore without the key files that are missing in the backup')
    .option('--unauthenticated', 'take a manifest without a valid MAC, although BACKUP_KEY is set')
    .requiredOption('--data-dir <folder>', 'the new data folder')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(restore)
