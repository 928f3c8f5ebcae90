// The installation of a chain. By it, a new data folder with the same BACKUP_URL is not confused with the lost one.
import { hostname } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from 'pg'
import type { Chain } from './chain.ts'
import type { BackupManifest } from './manifest.ts'
import { putJson, readJson } from './object-store.ts'
import type { BackupSource } from './source.ts'
import type { Vault } from './vault.ts'
import { readHead, walPrefix } from './wal-archive.ts'

interface ChainFacts {
  /** PostgreSQL's system identifier: a new data folder has another, a restored copy has the same; null: not known. */
  installation: string | null
  /** The host and folder of the chain's data. */
  host: string | null
  dataDir: string | null
}

/** A chain that has backups. */
export interface ChainSpan extends ChainFacts {
  chain: string
  /** The start of its first backup. */
  from: string
  /** The end of its archived log; null: not known. */
  until: string | null
}

const factsName = (chainId: string) => `${chainId}/chain.json`

export async function selectFactsOf(client: Client, { dataDir }: BackupSource): Promise<ChainFacts> {
  const { rows } = await client.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  return { installation: rows[0]?.id ?? null, host: hostname(), dataDir }
}

/** Records the facts, also new ones after the data folder has moved. @returns whether an earlier version stored none */
export async function recordFacts(
  { store }: Vault,
  { id }: Pick<Chain, 'id'>,
  facts: ChainFacts,
): Promise<boolean> {
  const known = await readJson<ChainFacts>(store, factsName(id))
  if (!isDeepStrictEqual(known, facts)) await putJson(store, factsName(id), facts)
  return known === undefined
}

/** The offset in the header of the first page of each segment (XLogLongPageHeaderData). */
const SYSTEM_IDENTIFIER_AT = 24

/** The number of unreadable segments to try: without the key, the search would otherwise fetch the whole archive. */
const SEGMENTS_READ_MAX = 3

async function installationInLog(vault: Vault, chainId: string): Promise<string | null> {
  let read = 0
  for await (const name of vault.store.list(walPrefix(chainId))) {
    const bytes = (await vault.getTorn(name))?.bytes
    if (bytes && bytes.length >= SYSTEM_IDENTIFIER_AT + 8)
      return String(bytes.readBigInt64LE(SYSTEM_IDENTIFIER_AT))
    read++
    if (read === SEGMENTS_READ_MAX) break
  }
  return null
}

async function readFacts(vault: Vault, chainId: string): Promise<ChainFacts> {
  const known = await readJson<ChainFacts>(vault.store, factsName(chainId))
  if (typeof known?.installation === 'string') return known
  return { installation: await installationInLog(vault, chainId), host: null, dataDir: null }
}

/** The chains of these backups. @param backups of all chains, oldest first */
export async function readSpans(vault: Vault, backups: readonly BackupManifest[]): Promise<ChainSpan[]> {
  const spans: ChainSpan[] = []
  for (const [chain, [first]] of Map.groupBy(backups, (backup) => backup.chain)) {
    const facts = await readFacts(vault, chain)
    const until = (await readHead(vault, chain))?.at ?? null
    if (first) spans.push({ ...facts, chain, from: first.startedAt, until })
  }
  return spans
}

/** Whether a chain continues another: a restored copy starts after the end of its chain, a concurrent copy does not. */
const continues = (next: ChainSpan, { chain, installation, until }: ChainSpan): boolean =>
  next.chain !== chain &&
  installation !== null &&
  next.installation === installation &&
  until !== null &&
  next.from >= until

/**
 * The chains to choose from when none is named. If there are several, the operator must name one.
 * @param to the wanted time; undefined: the latest
 */
export function candidates(spans: readonly ChainSpan[], to: Date | undefined): ChainSpan[] {
  const time = to?.toISOString()
  const begun = spans.filter(({ from }) => time === undefined || from <= time)
  const open = begun.filter((one) => !begun.some((other) => continues(other, one)))
  if (time === undefined || open.length < 2) return open
  const reaching = open.filter(({ until }) => until !== null && until >= time)
  return reaching.length === 1 ? reaching : open
}

/** For operators who must choose one of several chains. */
export function describeSpan({ chain, installation, host, dataDir, from, until }: ChainSpan): string {
  const place = host === null ? '' : ` on ${host}, ${dataDir}`
  return `chain ${chain} (installation ${installation ?? 'unknown'}${place}, ${from} to ${until ?? 'an unknown time'})`
}
