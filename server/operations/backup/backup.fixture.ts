// An embedded server with a table of notes, and backups of it, in folders that are deleted after the tests.
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { DATABASE_NAME, ensureDatabase } from '../../db/database.ts'
import type { Settings } from '../../db/embedded/settings.ts'
import { type EmbeddedServer, startEmbedded } from '../../db/embedded.ts'
import type { KeySettings } from '../../secrets/key-files.ts'
import { afterFile } from '../../test/after-file.ts'
import { type Chain, ensureChain } from './chain.ts'
import { recordFacts, selectFactsOf } from './chain-facts.ts'
import { type BackupOptions, createBackup, inBackupTurn } from './create.ts'
import { openFolderStore } from './folder-store.ts'
import { type BackupManifest, listBackups } from './manifest.ts'
import type { ObjectStore } from './object-store.ts'
import { preparePlace } from './place.ts'
import { chooseBackup, type RestoredBackup, type RestoreOptions, restoreBackup } from './restore.ts'
import { type BackupSource, clusterOf } from './source.ts'
import { openVault, type Vault } from './vault.ts'
import { type ArchiveHead, createWalArchive, type WalArchive } from './wal-archive.ts'

// No test stops the machine, so the page cache is safe enough.
export const SETTINGS = { fsync: 'off', shared_buffers: '16MB' }

/** @returns a function for paths in the folder that are not in use yet */
export function placesIn(root: string): (name: string) => string {
  let count = 0
  return (name) => join(root, `${name}-${++count}`)
}

export interface Installation {
  source: BackupSource
  client: pg.Client
  /** Writes a file where files of records are stored. @returns its key */
  addFile(bytes: Buffer): Promise<string>
}

/** The key of secrets at rest. */
export const KEY = Buffer.alloc(32, 1).toString('base64')

/** Settings that replace no key file. */
export const NO_SETTINGS: KeySettings = {
  authSecret: undefined,
  secretsKeys: undefined,
  databaseUrl: undefined,
}

const SCHEMA = `
  create table notes (id int primary key, note text not null default repeat('x', 100));
  create table event_clock (ahead bigint not null);
  insert into event_clock values (0);
  create table files (
    org bigint, id uuid, key text, state text, size bigint, stored_at timestamptz default clock_timestamp())`

async function connect(server: EmbeddedServer): Promise<pg.Client> {
  const client = new pg.Client(server.administration(DATABASE_NAME))
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function openInstallation(dataDir: string, more: Settings = {}): Promise<Installation> {
  const server = await startEmbedded({ dataDir, settings: { ...SETTINGS, ...more } })
  afterFile(() => server.stop())
  await ensureDatabase(server.administration('postgres'), DATABASE_NAME)
  const client = await connect(server)
  afterFile(() => client.end())
  await client.query(SCHEMA)
  await writeFile(join(dataDir, 'secrets-key'), KEY)
  await writeFile(join(dataDir, 'auth-secret'), 'secret of sessions')
  const source: BackupSource = {
    ...{ dataDir, keySettings: NO_SETTINGS, hasFiles: true },
    administration: (name) => server.administration(name),
  }
  return { source, client, addFile: (bytes) => addFile(client, dataDir, bytes) }
}

const ORG = randomUUID()

async function addFile(client: pg.Client, dataDir: string, bytes: Buffer): Promise<string> {
  const id = randomUUID()
  const key = `${ORG}/logos/${id}`
  await mkdir(join(dataDir, 'files', ORG, 'logos'), { recursive: true })
  await writeFile(join(dataDir, 'files', key), bytes)
  await client.query(`insert into files values (1, $1, $2, 'stored', $3)`, [id, key, bytes.length])
  return key
}

export interface Backups {
  vault: Vault
  chain: Chain
  archive: WalArchive
  backUp(options?: Partial<BackupOptions>): Promise<BackupManifest>
  /** Archives all log that is not archived yet. */
  pass(): Promise<ArchiveHead>
}

const never = new AbortController().signal
export const silent = pino({ level: 'silent' })

/** Backups of the installation in a separate chain. */
export async function openBackups(
  { source, client }: Installation,
  place: string | ObjectStore,
  keys?: readonly Buffer[],
): Promise<Backups> {
  const vault = openVault(typeof place === 'string' ? openFolderStore(place) : place, keys)
  await preparePlace(vault.store)
  const chain = await ensureChain(client, vault.store.where, new Date())
  await recordFacts(vault, chain, await selectFactsOf(client, source))
  const archive = createWalArchive(vault, chain, clusterOf(source.dataDir))
  const backUp: Backups['backUp'] = async (options = {}) => {
    const made = await inBackupTurn(client, () =>
      createBackup({ source, vault, log: silent, signal: never, ...options }, client, chain, archive),
    )
    if (made) return made
    throw new Error('another backup is being made')
  }
  return { vault, chain, archive, backUp, pass: () => archive.pass(client, never) }
}

export async function restore(
  vault: Vault,
  dataDir: string,
  { to, id, ...options }: { to?: Date; id?: string } & Partial<RestoreOptions> = {},
): Promise<RestoredBackup> {
  const backup = chooseBackup((await listBackups(vault.store)).backups, { id, to })
  return restoreBackup({
    ...{ vault, backup, dataDir, to, signal: never, settings: SETTINGS, keySettings: NO_SETTINGS },
    ...options,
  })
}

/** The result of a query in a restored folder, after an ordinary start of the server. */
export async function askRestored<Row>(dataDir: string, query: string, more: Settings = {}): Promise<Row[]> {
  const server = await startEmbedded({ dataDir, settings: { ...SETTINGS, ...more } })
  try {
    const client = await connect(server)
    const { rows } = await client.query(query).finally(() => client.end())
    return rows
  } finally {
    await server.stop()
  }
}
