// An installation whose rows, files and keys change, with three backups in a plain and in an encrypted place, and ten
// moments to restore to. The ledger has what there was after each change.
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

export const MOMENTS = 10

/** What there is at a moment. */
export interface Accounts {
  notes: number[]
  secrets: string[]
  /** Contents, by key. */
  files: Record<string, string>
}

interface Moment {
  at: Date
  /** Index in the ledger. */
  state: number
}

export interface Place extends Backups {
  path: string
  /** undefined: it is not encrypted. */
  key: Buffer | undefined
  /** Oldest first, each with what it has at least, as an index in the ledger. */
  made: { manifest: BackupManifest; state: number }[]
}

export interface History {
  /** One plain, one encrypted. */
  places: readonly [Place, Place]
  /** What there was after each change, oldest first. */
  ledger: readonly Accounts[]
  /** The segment of the log that has the change, by the index in the ledger. */
  segments: readonly string[]
  moments: readonly Moment[]
}

const about = (id: number) => `secret:${id}`

/** So that the database is several objects. */
const PACK_BYTES = 8 * 1024 * 1024

class Recorder implements History {
  readonly ledger: Accounts[] = [{ notes: [], secrets: [], files: {} }]
  readonly segments: string[] = ['']
  readonly moments: Moment[] = []
  readonly places: readonly [Place, Place]
  readonly #service: Installation
  #key = randomBytes(32)

  constructor(service: Installation, places: readonly [Place, Place]) {
    this.#service = service
    this.places = places
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

  /** In a new segment of the log. */
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

  /** All files have one size, so that only their names tell them apart. */
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

  /** After it, only the backups have the earlier key. */
  replaceKey(): Promise<void> {
    this.#key = randomBytes(32)
    const path = join(this.#service.source.dataDir, 'secrets-key')
    return this.#change(async ({ secrets }) => {
      await writeFile(`${path}.new`, this.#key.toString('base64'))
      await rename(`${path}.new`, path)
      await this.#sealAll(secrets)
    })
  }

  /** All of them under the key of now, as after a rotation that has ended. */
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
    for (const { vault, chain, pass } of this.places) {
      await pass()
      await createKeyArchive(vault, chain.id, { ...NO_SETTINGS, dataDir }, silent).pass()
    }
  }

  async backUpAll(): Promise<void> {
    const state = this.ledger.length - 1
    for (const { backUp, made } of this.places)
      made.push({ manifest: await backUp({ packBytes: PACK_BYTES }), state })
  }

  async remember(): Promise<void> {
    await this.#pause()
    const { rows } = await this.#service.client.query<{ now: Date }>('select clock_timestamp() as now')
    this.moments.push({ at: rows[0]?.now ?? new Date(), state: this.ledger.length - 1 })
    await this.#pause()
  }

  /** The clock of a file system is some milliseconds behind. */
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

/** Call it in beforeAll. @param root a folder of the test */
export async function openHistory(root: string): Promise<History> {
  const service = await openInstallation(join(root, 'data'))
  await service.client.query('create table secrets (id int, sealed bytea)')
  const open = async (path: string, key: Buffer | undefined): Promise<Place> => ({
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

/** Of a restored folder; files that are not there are left out. */
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
