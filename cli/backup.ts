// rapport backup: makes, lists and verifies backups of the embedded database, its files and keys.
import { tmpdir } from 'node:os'
import { Command } from 'commander'
import type { Manifest } from '../server/backup/manifest.ts'
import type { Vault } from '../server/backup/vault.ts'
import type { Verified } from '../server/backup/verify.ts'
import { type BackupTarget, parseBackupTarget } from '../server/backup-config.ts'
import { type Config, readConfig } from '../server/config.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'
import { showProgress } from './progress.ts'
import { restoreLines } from './restore-lines.ts'
import { openLog, withStopSignal } from './session.ts'

const MB = 1024 * 1024

interface PlaceOptions extends OutputOptions {
  to?: string
  from?: string
}

/** The folder or bucket of the option, else of BACKUP_URL. */
export function targetOf(config: Config, text: string | undefined, option: string): BackupTarget {
  if (text !== undefined) return parseBackupTarget(process.env, text, option)
  if (config.backup.target) return config.backup.target
  throw new Error(`Set ${option} or BACKUP_URL to the folder or bucket of the backups`)
}

/** Opens the place of backups for the time of some work. */
export async function withBackups<Result>(
  config: Config,
  target: BackupTarget,
  work: (vault: Vault) => Promise<Result>,
): Promise<Result> {
  const { openBackups } = await import('../server/backup/open.ts')
  const vault = openBackups(target, config.backup.keys)
  return work(vault).finally(() => vault.store.close())
}

/** Shows bytes in MB. */
export function watchBytes(verb: string) {
  let progress: ReturnType<typeof showProgress> | undefined
  return {
    onProgress({ bytes, totalBytes }: { bytes: number; totalBytes: number }) {
      progress ??= showProgress(verb, totalBytes / MB, 'MB')
      progress.update(bytes / MB)
    },
    stop: () => progress?.stop(),
  }
}

async function make(config: Config, options: PlaceOptions, signal: AbortSignal): Promise<Manifest> {
  const { runBackup } = await import('../server/backup/run.ts')
  const { onProgress, stop } = watchBytes('Backing up')
  const target = targetOf(config, options.to, '--to')
  // Only the place that the service archives to continues a chain there.
  const isOnce = options.to !== undefined && options.to !== config.backup.url
  return withBackups(config, target, (vault) =>
    runBackup({ config, vault, isOnce, signal, onProgress, log: openLog(config) }),
  ).finally(stop)
}

const size = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`

const NOT_ENCRYPTED =
  'It is not encrypted, and contains the keys of this installation: set BACKUP_KEY, or keep it where only you can read it.'

async function backup(options: PlaceOptions): Promise<void> {
  const config = readConfig(process.env)
  const { bytesOf } = await import('../server/backup/manifest.ts')
  const manifest = await withStopSignal((signal) => make(config, options, signal))
  const { id, endedAt, files, isEncrypted } = manifest
  print(options, { ...manifest, packs: undefined, bytes: bytesOf(manifest) }, () => [
    `Backup ${id}: ${size(bytesOf(manifest))}, ${files ? `${files.files} files, ` : ''}of ${endedAt}.`,
    ...(isEncrypted ? [] : [NOT_ENCRYPTED]),
  ])
}

async function list(options: PlaceOptions): Promise<void> {
  const config = readConfig(process.env)
  const { bytesOf } = await import('../server/backup/manifest.ts')
  const { describeBackups } = await import('../server/backup/describe.ts')
  const target = targetOf(config, options.from, '--from')
  const described = await withBackups(config, target, describeBackups)
  const rows = described.map(({ manifest, restorableUntil, verifiedAt }) => [
    ...[manifest.id, manifest.endedAt, restorableUntil ?? '', size(bytesOf(manifest))],
    ...[manifest.isEncrypted ? 'yes' : 'no', verifiedAt ?? 'never'],
  ])
  const documents = described.map(({ manifest, ...rest }) => ({
    ...{ ...manifest, packs: undefined, bytes: bytesOf(manifest) },
    ...rest,
  }))
  print(options, documents, () =>
    table(['ID', 'RESTORES FROM', 'UNTIL', 'SIZE', 'ENCRYPTED', 'VERIFIED'], rows, 'No backups yet.'),
  )
}

interface VerifyOptions extends PlaceOptions {
  backup?: string
  workDir: string
}

const verdictLines = ({ ok, restored, findings }: Verified): string[] => [
  ...restoreLines(restored),
  ...findings.map(({ check, status, detail }) => `${status.padEnd(4)}  ${check.padEnd(13)}  ${detail}`),
  ok ? 'The backup can be restored.' : 'The backup has failed its check.',
]

async function verify(options: VerifyOptions): Promise<void> {
  const config = readConfig(process.env)
  const { chooseBackup } = await import('../server/backup/restore.ts')
  const { listBackups } = await import('../server/backup/manifest.ts')
  const { verifyBackup } = await import('../server/backup/verify.ts')
  const { onProgress, stop } = watchBytes('Restoring')
  const verified = await withStopSignal((signal) =>
    withBackups(config, targetOf(config, options.from, '--from'), async (vault) => {
      const chosen = chooseBackup((await listBackups(vault.store)).backups, { id: options.backup })
      const place = { folder: options.workDir, to: undefined, signal, onProgress }
      return verifyBackup({ ...place, config, vault, backup: chosen })
    }),
  ).finally(stop)
  print(options, verified, () => verdictLines(verified))
  if (!verified.ok) process.exitCode = 1
}

const FROM = ['--from <folder or s3 url>', 'where the backups are (default: BACKUP_URL)'] as const

const listCommand = () =>
  new Command('list')
    .description('List the backups, and the times that each can be restored to')
    .option(...FROM)
    .option(...JSON_OUTPUT)
    .action(list)

const verifyCommand = () =>
  new Command('verify')
    .description(
      'Restore a backup aside, examine the copy, and delete it; the exit code is 1 when a check fails',
    )
    .option(...FROM)
    .option('--backup <id>', 'the backup (default: the newest)')
    .option('--work-dir <folder>', 'where the copy is made; it needs the room of the database', tmpdir())
    .option(...JSON_OUTPUT)
    .action(verify)

const HELP = `
Works beside a running service, which goes on as before. Ctrl-C leaves nothing behind. With BACKUP_URL the
service makes backups by itself: see docs/operators/backup.md.

Examples:
  $ rapport backup
  $ rapport backup --to /mnt/backups/rapport
  $ rapport backup list
  $ rapport backup verify`

export const backupCommand = (): Command =>
  new Command('backup')
    .description('Back up the embedded database, files and keys to a folder or a bucket')
    .enablePositionalOptions()
    .option('--to <folder or s3 url>', 'where to (default: BACKUP_URL)')
    .option(...JSON_OUTPUT)
    .addCommand(listCommand())
    .addCommand(verifyCommand())
    .addHelpText('after', HELP)
    .action(backup)
