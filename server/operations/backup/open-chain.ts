// The chain that an installation continues: in a prepared place, with or without encryption, and marked as its own.
import type pg from 'pg'
import type { Logger } from 'pino'
import { becomeArchiver, type Chain, createChainOnce, endChain, ensureChain, findChain } from './chain.ts'
import { describeSpan, readSpans, recordFacts, selectFactsOf } from './chain-facts.ts'
import { type BackupManifest, listBackups } from './manifest.ts'
import { BackupError } from './object-store.ts'
import { requirePlace } from './place.ts'
import { type BackupSource, databaseTime } from './source.ts'
import type { Vault } from './vault.ts'

interface ChainOptions {
  source: BackupSource
  vault: Vault
  log: Logger
  /** A chain for a single, complete backup. */
  isOnce?: boolean | undefined
}

async function preparedPlace({ store }: Vault, log: Logger): Promise<void> {
  const { isAdopted } = await requirePlace(store)
  if (isAdopted)
    log.info(
      { place: store.where },
      'the backups of an earlier version are used: their place has a marker now',
    )
}

/** A setting that has lost the key must not lead to backups that everyone can read. */
function requireKey({ store, isEncrypted }: Vault, last: BackupManifest | undefined): void {
  if (isEncrypted || !last?.isEncrypted) return
  throw new BackupError(
    `The last backup in ${store.where} is encrypted, and BACKUP_KEY is not set: set it, or use another BACKUP_URL for backups without encryption`,
  )
}

/** A chain ends when a key is set, because its earlier objects cannot be read with the key. */
async function keptChain(
  client: pg.Client,
  { vault, log }: ChainOptions,
  backups: readonly BackupManifest[],
): Promise<Chain | undefined> {
  const chain = await findChain(client, vault.store.where)
  const last = backups.findLast((backup) => backup.chain === chain?.id)
  requireKey(vault, last)
  if (chain === undefined || last === undefined || last.isEncrypted === vault.isEncrypted) return chain
  // The service would continue the archive without encryption, which is not possible after an encrypted backup.
  if (!(await becomeArchiver(client)))
    throw new BackupError(
      `The service that runs archives to ${vault.store.where} without encryption: set BACKUP_KEY for the service and restart it, then repeat this`,
    )
  log.info('BACKUP_KEY was set: a new chain begins, whose backups are encrypted')
  await endChain(client, chain)
  return undefined
}

async function warnOfOthers(
  { vault, log }: ChainOptions,
  backups: readonly BackupManifest[],
  own: string | null,
): Promise<void> {
  const others = (await readSpans(vault, backups)).filter(({ installation }) => installation !== own)
  if (others.length === 0) return
  log.warn(
    { place: vault.store.where, others: others.map(describeSpan) },
    'the place of backups has those of another installation: if this data folder should not be new, stop the service and run rapport restore; else give each installation its own BACKUP_URL',
  )
}

/** @throws BackupError if backups must not be made in this place */
export async function openChain(client: pg.Client, options: ChainOptions): Promise<Chain> {
  const { source, vault, log, isOnce } = options
  await preparedPlace(vault, log)
  const { backups } = await listBackups(vault.store)
  requireKey(vault, backups.at(-1))
  const now = await databaseTime(client)
  const kept = isOnce ? await createChainOnce(client, now) : await keptChain(client, options, backups)
  const chain = kept ?? (await ensureChain(client, vault.store.where, now))
  const facts = await selectFactsOf(client, source)
  const isNew = await recordFacts(vault, chain, facts)
  if (isNew && backups.some((backup) => backup.chain === chain.id))
    log.info(
      { chain: chain.id, installation: facts.installation },
      'the chain of backups has the id of this installation now',
    )
  await warnOfOthers(options, backups, facts.installation)
  return chain
}
