// An installation whose rows, files and keys change, with three backups in a plain and in an encrypted place, and ten
// points in time to restore to. The ledger has the data after each change.
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecretBox, openSecretBox, type SecretBox } from '../../secrets/box.ts'
import {
  askRestored,
  type Backups,
  type Installation,
  NO_SETTINGS,
  openBackups,
  openInstallation,
  silent,
} from './backup.fixture.ts'
import { createKeyArchive } from './key-archive.ts'
import type { BackupManifest } from './manifest.ts'

export const HISTORY_POINTS = 10

/** The data at a time. */
export interface Accounts {
  notes: number[]
  secrets: string[]
  /** Contents in base64, by key. */
  files: Record<string, string>
}

interface HistoryPoint {
  at: Date
  /** Index in the ledger. */
  state: number
}

export interface BackupStorage extends Backups {
  path: string
  /** The encryption key; undefined: not encrypted. */
  key: Buffer | undefined
  /** Oldest first, each with the index in the ledger of the least that it contains. */
  made: { manifest: BackupManifest; state: number }[]
}

export interface History {
  /** One plain place, one encrypted. */
  storages: readonly [BackupStorage, BackupStorage]
  /** The data after each change, oldest first. */
  ledger: readonly Accounts[]
  /** The segment of the log with the change, by the index in the ledger. */
  segments: readonly string[]
  points: readonly HistoryPoint[]
}

const about = (id: number) => `secret:${id}`

/** Small, so that the database is several objects. */
const PACK_BYTES = 8 * 1024 * 1024

class Recorder implements History {
  readonly ledger: Accounts[] = [{ notes: [], secrets: [], files: {} }]
  readonly segments: string[] = ['']
  readonly points: HistoryPoint[] = []
  readonly storages: readonly [BackupStorage, BackupStorage]
  readonly #service: Installation
  #key = randomBytes(32)

  constructor(service: Installation, storages: readonly [BackupStorage, BackupStorage]) {
    this.#service = service
    this.storages = storages
  }

  async #change(change: (accounts: Accounts) => Promise<unknown>): Promise<void> {
    const accounts = structuredClone(this.ledger.at(-1)) as Accounts
    await change(accounts)
    const { rows } = await this.#service.client.query<{ name: string }>(
      'select pg_walfile_name(pg_current_wal_lsn()) as name',
    )
    this.ledger.push(accounts)
    this.segments.push(rows[0]?.name ?? '')
  }

  /** Adds a note in a new segment of the log. */
  addNote(id: number): Promise<void> {
    const { client } = this.#service
    return this.#change(async ({ notes }) => {
      await client.query('select pg_switch_wal()')
      await client.query('insert into notes (id) values ($1)', [id])
      notes.push(id)
    })
  }

  deleteNotes(...ids: number[]): Promise<void> {
    return this.#change(async (accounts) => {
      await this.#service.client.query('delete from notes where id = any($1)', [ids])
      accounts.notes = accounts.notes.filter((id) => !ids.includes(id))
    })
  }

  /** All files have the same size, so that only their names differ. */
  addFile(): Promise<void> {
    return this.#change(async ({ files }) => {
      const bytes = randomBytes(300)
      files[await this.#service.addFile(bytes)] = bytes.toString('base64')
    })
  }

  deleteFirstFile(): Promise<void> {
    const { client, source } = this.#service
    return this.#change(async ({ files }) => {
      const [key = ''] = Object.keys(files)
      await client.query('delete from files where key = $1', [key])
      await rm(join(source.dataDir, 'files', key))
      delete files[key]
    })
  }

  addSecret(text: string): Promise<void> {
    return this.#change(({ secrets }) => {
      secrets.push(text)
      return this.#sealAll(secrets)
    })
  }

  /** Afterwards, only the backups have the earlier key. */
  replaceKey(): Promise<void> {
    this.#key = randomBytes(32)
    const path = join(this.#service.source.dataDir, 'secrets-key')
    return this.#change(async ({ secrets }) => {
      await writeFile(`${path}.new`, this.#key.toString('base64'))
      await rename(`${path}.new`, path)
      await this.#sealAll(secrets)
    })
  }

  /** Encrypts all secrets with the current key, as after a completed rotation. */
  async #sealAll(secrets: readonly string[]): Promise<void> {
    const { client } = this.#service
    const box = createSecretBox([this.#key])
    await client.query('begin')
    await client.query('delete from secrets')
    for (const [id, text] of secrets.entries())
      await client.query('insert into secrets values ($1, $2)', [id, box.seal(text, about(id))])
    await client.query('commit')
  }

  async passAll(): Promise<void> {
    const { dataDir } = this.#service.source
    for (const { vault, chain, pass } of this.storages) {
      await pass()
      await createKeyArchive(vault, chain.id, { ...NO_SETTINGS, dataDir }, silent).pass()
    }
  }

  async backUpAll(): Promise<void> {
    const state = this.ledger.length - 1
    for (const { backUp, made } of this.storages)
      made.push({ manifest: await backUp({ packBytes: PACK_BYTES }), state })
  }

  async remember(): Promise<void> {
    await this.#pause()
    const { rows } = await this.#service.client.query<{ now: Date }>('select clock_timestamp() as now')
    this.points.push({ at: rows[0]?.now ?? new Date(), state: this.ledger.length - 1 })
    await this.#pause()
  }

  /** Waits, because the clock of a file system may be some milliseconds behind. */
  #pause() {
    return this.#service.client.query('select pg_sleep(0.05)')
  }
}

async function untilSecondBackup(history: Recorder): Promise<void> {
  await history.addNote(1)
  await history.replaceKey()
  await history.addSecret('first')
  await history.backUpAll()
  await history.remember()
  await history.addFile()
  await history.addNote(2)
  await history.remember()
  await history.replaceKey()
  await history.remember()
  await history.addSecret('second')
  await history.passAll()
  await history.remember()
  await history.deleteNotes(1)
  await history.remember()
  await history.backUpAll()
}

async function untilEnd(history: Recorder): Promise<void> {
  await history.addFile()
  await history.remember()
  await history.replaceKey()
  await history.addNote(3)
  await history.remember()
  await history.passAll()
  await history.deleteNotes(2, 3)
  await history.deleteFirstFile()
  await history.remember()
  await history.backUpAll()
  await history.addNote(4)
  await history.remember()
  await history.replaceKey()
  await history.addSecret('third')
  await history.remember()
  await history.passAll()
}

/** To be called in beforeAll. @param root a folder of the test */
export async function openHistory(root: string): Promise<History> {
  const service = await openInstallation(join(root, 'data'))
  await service.client.query('create table secrets (id int, sealed bytea)')
  const open = async (path: string, key: Buffer | undefined): Promise<BackupStorage> => ({
    ...(await openBackups(service, path, key && [key])),
    ...{ path, key, made: [] },
  })
  const history = new Recorder(service, [
    await open(join(root, 'plain'), undefined),
    await open(join(root, 'encrypted'), randomBytes(32)),
  ])
  await untilSecondBackup(history)
  await untilEnd(history)
  return history
}

const ALL = `
  select (select coalesce(json_agg(id order by id), '[]') from notes) as notes,
    (select coalesce(json_agg(encode(sealed, 'base64') order by id), '[]') from secrets) as secrets,
    (select coalesce(json_agg(key order by key), '[]') from files) as files`

function openSecret(box: SecretBox, text: string, id: number): string {
  try {
    return box.open(Buffer.from(text, 'base64'), about(id))
  } catch (error) {
    return `not decrypted: ${(error as Error).message}`
  }
}

/** The data of a restored folder, without missing files. */
export async function accountsIn(dataDir: string): Promise<Accounts> {
  const [found] = await askRestored<{ notes: number[]; secrets: string[]; files: string[] }>(dataDir, ALL)
  const { notes = [], secrets = [], files: keys = [] } = found ?? {}
  const box = openSecretBox({ secretsKeys: undefined, dataDir })
  const files: Accounts['files'] = {}
  for (const key of keys) {
    const content = await readFile(join(dataDir, 'files', key), 'base64').catch(() => undefined)
    if (content !== undefined) files[key] = content
  }
  return { notes, secrets: secrets.map((text, id) => openSecret(box, text, id)), files }
}
