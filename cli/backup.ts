// rapport backup: makes, lists and verifies backups of the embedded database, the files and the keys.
import { Command } from 'commander'
import { type BackupTarget, parseBackupTarget, verifyDirOf } from '../server/config/backup-config.ts'
import { type Config, readConfig } from '../server/config/config.ts'
import type { DescribedBackup, DescribedPlace } from '../server/operations/backup/describe.ts'
import type { BackupManifest } from '../server/operations/backup/manifest.ts'
import type { Vault } from '../server/operations/backup/vault.ts'
import type { Verified } from '../server/operations/backup/verify.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'
import { showProgress } from './progress.ts'
import { restoreLines } from './restore-lines.ts'
import { openLog, withStopSignal } from './session.ts'

const MB = 1024 * 1024

interface PlaceOptions extends OutputOptions {
  to?: string
  from?: string
}

/** The folder or bucket from the option, else from BACKUP_URL. */
export function backupTarget(config: Config, text: string | undefined, option: string): BackupTarget {
  if (text !== undefined) return parseBackupTarget(process.env, text, option)
  if (config.backup.target) return config.backup.target
  throw new Error(`Set ${option} or BACKUP_URL to the folder or bucket of the backups`)
}

/** Opens the place of backups, and closes it after `work`. */
export async function withBackups<Result>(
  config: Config,
  target: BackupTarget,
  work: (vault: Vault) => Promise<Result>,
): Promise<Result> {
  const { openBackups } = await import('../server/operations/backup/open.ts')
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

async function make(config: Config, options: PlaceOptions, signal: AbortSignal): Promise<BackupManifest> {
  const { runBackup } = await import('../server/operations/backup/run.ts')
  const { isArchivedTo } = await import('../server/operations/backup/open.ts')
  const { onProgress, stop } = watchBytes('Backing up')
  const target = backupTarget(config, options.to, '--to')
  return withBackups(config, target, async (vault) => {
    // Backups in other places than that of the service start a new chain.
    const isOnce = !(await isArchivedTo(config.backup, vault))
    return runBackup({ config, vault, isOnce, signal, onProgress, log: openLog(config) })
  }).finally(stop)
}

const size = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`

const NOT_ENCRYPTED =
  'It is not encrypted, and contains the keys of this installation: set BACKUP_KEY, or keep it where only you can read it.'

async function backup(options: PlaceOptions): Promise<void> {
  const config = readConfig(process.env)
  const { bytesOf } = await import('../server/operations/backup/manifest.ts')
  const { lackingKeys } = await import('../server/secrets/key-files.ts')
  const manifest = await withStopSignal((signal) => make(config, options, signal))
  const { id, endedAt, files, isEncrypted, keys } = manifest
  print(options, { ...manifest, packs: undefined, bytes: bytesOf(manifest) }, () => [
    `Backup ${id}: ${size(bytesOf(manifest))}, ${files ? `${files.files} files, ` : ''}of ${endedAt}.`,
    ...lackingKeys(keys, config).map(
      ({ name, loss }) => `It lacks the key file ${name}, which is missing in DATA_DIR: without it ${loss}.`,
    ),
    ...(isEncrypted ? [] : [NOT_ENCRYPTED]),
  ])
}

async function init(options: PlaceOptions): Promise<void> {
  const config = readConfig(process.env)
  const { preparePlace } = await import('../server/operations/backup/place.ts')
  const target = backupTarget(config, options.to, '--to')
  const { isNew, where } = await withBackups(config, target, async (vault) => ({
    isNew: await preparePlace(vault.store),
    where: vault.store.where,
  }))
  print(options, { where, isNew }, () => [
    isNew ? `${where} is prepared for backups.` : `${where} was prepared before: nothing was changed.`,
  ])
}

const verdict = ({ verifiedAt, failedAt }: DescribedBackup): string =>
  verifiedAt ?? (failedAt === null ? 'never' : `failed at ${failedAt}`)

function gapLine({ manifest, gaps, restorableUntil }: DescribedBackup): string[] {
  const reach =
    restorableUntil === null
      ? 'it is not known how far it can be restored'
      : `it can be restored until ${restorableUntil}`
  return gaps.length === 0 ? [] : [`Backup ${manifest.id} has a gap: ${gaps.join('; ')}; ${reach}.`]
}

interface ListedBackup extends DescribedBackup {
  /** Why a restore would lack keys. */
  keyGaps: string[]
}

const keyLine = ({ manifest, keyGaps }: ListedBackup): string[] =>
  keyGaps.length === 0
    ? []
    : [`Backup ${manifest.id} cannot be restored with all its keys: ${keyGaps.join('; ')}.`]

interface ListedPlace extends DescribedPlace {
  backups: ListedBackup[]
}

/** Reads the keys of each backup with the settings of this shell, as a restore does. */
async function describeKeys(
  vault: Vault,
  backups: readonly DescribedBackup[],
  keySettings: Config,
): Promise<ListedBackup[]> {
  const { findKeyGaps } = await import('../server/operations/backup/restored-keys.ts')
  const found = await findKeyGaps({ vault, backups: backups.map(({ manifest }) => manifest), keySettings })
  return backups.map((one, place) => ({ ...one, keyGaps: found[place] ?? [] }))
}

const SEVERAL =
  'Several installations, or copies that ran at the same time, store here: choose one for rapport restore by --chain.'

/** The problems of a place, printed below the table. */
async function placeLines({ backups, unfinished, damaged, rivals }: ListedPlace): Promise<string[]> {
  const { describeSpan } = await import('../server/operations/backup/chain-facts.ts')
  return [
    ...backups.flatMap((one) => [...gapLine(one), ...keyLine(one)]),
    ...unfinished.map(
      ({ id }) => `Backup ${id} is not complete: it is being made, was broken off, or lost its manifest.`,
    ),
    ...damaged.map(
      ({ id }) => `Backup ${id} cannot be used: its manifest is damaged, or that of another backup.`,
    ),
    ...(rivals.length === 0 ? [] : [SEVERAL, ...rivals.map((span) => `  ${describeSpan(span)}`)]),
  ]
}

async function list(options: PlaceOptions): Promise<void> {
  const config = readConfig(process.env)
  const { bytesOf } = await import('../server/operations/backup/manifest.ts')
  const { describePlace } = await import('../server/operations/backup/describe.ts')
  const place = await withBackups(config, backupTarget(config, options.from, '--from'), async (vault) => {
    const found = await describePlace(vault)
    return { ...found, backups: await describeKeys(vault, found.backups, config) }
  })
  const rows = place.backups.map((described) => {
    const { manifest, restorableUntil } = described
    const { id, endedAt, isEncrypted } = manifest
    const reach = [id, endedAt, restorableUntil ?? 'unknown', size(bytesOf(manifest))]
    return [...reach, isEncrypted ? 'yes' : 'no', verdict(described)]
  })
  const documents = place.backups.map(({ manifest, ...rest }) => ({
    ...{ ...manifest, packs: undefined, bytes: bytesOf(manifest) },
    ...rest,
  }))
  const lines = await placeLines(place)
  print(options, documents, () => [
    ...table(['ID', 'RESTORES FROM', 'UNTIL', 'SIZE', 'ENCRYPTED', 'VERIFIED'], rows, 'No backups yet.'),
    ...lines,
  ])
}

interface VerifyOptions extends PlaceOptions {
  backup?: string
  chain?: string
  workDir?: string
}

const verdictLines = ({ ok, restored, findings }: Verified): string[] => [
  ...restoreLines(restored),
  ...findings.map(({ check, status, detail }) => `${status.padEnd(4)}  ${check.padEnd(13)}  ${detail}`),
  ok ? 'The backup can be restored.' : 'The backup has failed its check.',
]

async function verify(options: VerifyOptions): Promise<void> {
  const config = readConfig(process.env)
  const { pickBackup } = await import('../server/operations/backup/choose.ts')
  const { verifyBackup } = await import('../server/operations/backup/verify.ts')
  const { onProgress, stop } = watchBytes('Restoring')
  const verified = await withStopSignal((signal) =>
    withBackups(config, backupTarget(config, options.from, '--from'), async (vault) => {
      const chosen = await pickBackup(vault, { id: options.backup, chain: options.chain })
      const folder = options.workDir ?? verifyDirOf(config.backup)
      return verifyBackup({ config, vault, backup: chosen, folder, to: undefined, signal, onProgress })
    }),
  ).finally(stop)
  print(options, verified, () => verdictLines(verified))
  if (!verified.ok) process.exitCode = 1
}

const FROM = ['--from <folder or s3 url>', 'where the backups are (default: BACKUP_URL)'] as const

const initCommand = () =>
  new Command('init')
    .description('Prepare a folder or a bucket for backups, once: a folder that was not prepared gets none')
    .option('--to <folder or s3 url>', 'where to (default: BACKUP_URL)')
    .option(...JSON_OUTPUT)
    .action(init)

const listCommand = () =>
  new Command('list')
    .description('List the backups, the times that each can be restored to, and what is missing')
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
    .option('--chain <id>', 'of several installations: the chain of its backups (see rapport backup list)')
    .option(
      '--work-dir <folder>',
      'where the copy is made; it needs the room of the database, its log and its files (default: BACKUP_VERIFY_DIR)',
    )
    .option(...JSON_OUTPUT)
    .action(verify)

const HELP = `
Works while the service runs, and does not interrupt it. Ctrl-C leaves nothing behind. With BACKUP_URL the
service makes backups by itself: see docs/operators/backup.md.

Examples:
  $ rapport backup init
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
    .addCommand(initCommand())
    .addCommand(listCommand())
    .addCommand(verifyCommand())
    .addHelpText('after', HELP)
    .action(backup)
