// A backup of which one object is missing, cut off, changed, or another one: a restore gives everything that was committed,
// or names what is missing, or refuses with the name of the object.
import { randomBytes } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { MAIN, run, SLOW } from '../../cli/cli.fixture.ts'
import { startStandIn } from '../files/s3/stand-in.fixture.ts'
import {
  askRestored,
  type Backups,
  type Installation,
  openBackups,
  openInstallation,
  placesIn,
  restore,
  temporaryRoot,
} from './backup.fixture.ts'
import { pickBackup } from './choose.ts'
import { describePlace } from './describe.ts'
import { openFolderStore } from './folder-store.ts'
import { backupPrefix, type Manifest } from './manifest.ts'
import type { ObjectStore } from './object-store.ts'
import type { Restored } from './restore.ts'
import { openS3Store } from './s3-store.ts'
import { openVault } from './vault.ts'

const root = await temporaryRoot()
const place = placesIn(root)

/** Notes in the order of their commits; from the second on each is in another segment. */
const NOTES = [1, 2, 3, 4, 5]

let service: Installation
let backups: Backups
let [first, second]: Manifest[] = []
const segments: string[] = []
let files: string[] = []

const add = (id: number) => service.client.query('insert into notes (id) values ($1)', [id])

async function addInNewSegment(id: number): Promise<void> {
  await service.client.query('select pg_switch_wal()')
  await add(id)
  const { rows } = await service.client.query<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_lsn()) as name',
  )
  segments.push(rows[0]?.name ?? '')
}

beforeAll(async () => {
  service = await openInstallation(join(root, 'data'))
  // Of one size, so that only their names tell them apart.
  files = [await service.addFile(randomBytes(500)), await service.addFile(randomBytes(500))]
  backups = await openBackups(service, join(root, 'store'))
  await add(1)
  first = await backups.backUp({ packBytes: 4 * 1024 * 1024 })
  for (const id of [2, 3, 4]) await addInNewSegment(id)
  second = await backups.backUp({ packBytes: 4 * 1024 * 1024 })
  await addInNewSegment(5)
  await backups.pass()
}, 60_000)

const chain = () => backups.chain.id
const manifestOf = (backup: Manifest | undefined) => {
  if (backup === undefined) throw new Error('there is no backup')
  return `${backupPrefix(backup)}manifest.json`
}

/** A copy of the store, for one damage. */
async function copied(): Promise<ObjectStore> {
  const path = place('store')
  await cp(join(root, 'store'), path, { recursive: true })
  return openFolderStore(path)
}

const bytesAt = async (store: ObjectStore, name: string): Promise<Buffer> => {
  const bytes = await store.get(name)
  if (bytes === undefined) throw new Error(`there is no ${name}`)
  return bytes
}

type Damage = 'missing' | 'cut off' | 'changed' | 'another'

async function damage(store: ObjectStore, how: Damage, name: string, other: string): Promise<void> {
  const [bytes, others] = [await bytesAt(store, name), await bytesAt(store, other)]
  const middle = Math.floor(bytes.length / 2)
  if (how === 'missing') return store.delete(name)
  if (how === 'cut off') await store.put(name, bytes.subarray(0, middle))
  if (how === 'another') await Promise.all([store.put(name, others), store.put(other, bytes)])
  if (how === 'changed') {
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    await store.put(name, bytes)
  }
}

interface Outcome {
  kind: 'whole' | 'gap' | 'refused'
  /** What the operator reads. */
  words: string
  notes: number[]
  restored?: Restored
}

async function tryRestore(store: ObjectStore, id?: string): Promise<Outcome> {
  const vault = openVault(store, undefined)
  const dataDir = place('restored')
  try {
    const restored = await restore(vault, dataDir, { id: (await pickBackup(vault, { id })).id })
    const rows = await askRestored<{ id: number }>(dataDir, 'select id from notes order by id')
    const words = [...restored.gaps, ...restored.files.missing].join('; ')
    return { kind: words === '' ? 'whole' : 'gap', words, notes: rows.map(({ id }) => id), restored }
  } catch (error) {
    return { kind: 'refused', words: (error as Error).message, notes: [] }
  }
}

interface Kind {
  name: string
  object(): string
  /** What it may be taken for. */
  other(): string
  /** Restored from the first backup; else from the newest that is usable. */
  isOfFirst?: true
  outcomes: Record<Damage, Outcome['kind']>
  /** What is named where not all comes back. */
  told?(): string
  /** The notes that come back at least where there is a gap. */
  least?: number
}

const all = (kind: Outcome['kind']): Kind['outcomes'] => ({
  missing: kind,
  'cut off': kind,
  changed: kind,
  another: kind,
})

const KINDS: Kind[] = [
  {
    name: 'the end of the log',
    object: () => `${chain()}/head.json`,
    other: () => manifestOf(second),
    outcomes: all('gap'),
    told: () => 'head.json',
    least: 5,
  },
  {
    name: 'a segment of the log',
    object: () => `${chain()}/wal/${segments[1]}`,
    other: () => `${chain()}/wal/${segments[2]}`,
    isOfFirst: true,
    outcomes: all('gap'),
    told: () => segments[1] ?? '',
    least: 2,
  },
  {
    name: 'the current segment of the log',
    object: () => `${chain()}/wal/${segments[3]}.partial`,
    other: () => `${chain()}/wal/${segments[1]}`,
    outcomes: all('gap'),
    told: () => segments[3] ?? '',
    least: 4,
  },
  {
    name: 'a part of the database',
    object: () => second?.packs[0]?.name ?? '',
    other: () => second?.packs[1]?.name ?? '',
    outcomes: all('refused'),
    told: () => second?.packs[0]?.name ?? '',
  },
  {
    name: 'the manifest of the newest backup',
    object: () => manifestOf(second),
    other: () => manifestOf(first),
    outcomes: { ...all('whole'), another: 'refused' },
    told: () => 'There is no complete backup',
  },
  {
    name: 'a file of a record',
    object: () => `${chain()}/files/${files[0]}/0`,
    other: () => `${chain()}/files/${files[1]}/0`,
    outcomes: all('gap'),
    told: () => files[0] ?? '',
    least: 5,
  },
]

/** The marker of the place, the owner of the chain, and the list of deleted files, with what each may be taken for. */
const notNeeded = (): [object: string, other: string][] => [
  [`${backupPrefix(second as Manifest)}gone-files`, `${chain()}/chain.json`],
  [`${chain()}/chain.json`, 'rapport-backups.json'],
  ['rapport-backups.json', `${backupPrefix(first as Manifest)}gone-files`],
]

test.each<Damage>(['missing', 'cut off', 'changed', 'another'])(
  'what a restore does not need, %s: whole',
  async (how) => {
    const store = await copied()
    for (const [object, other] of notNeeded()) await damage(store, how, object, other)
    expect(await tryRestore(store)).toMatchObject({ kind: 'whole', notes: NOTES })
  },
)

const damages = (kind: Kind) => Object.entries(kind.outcomes) as [Damage, Outcome['kind']][]

describe.each(KINDS)('$name', (kind) => {
  test.each(damages(kind))('%s: %s', async (how, expected) => {
    const store = await copied()
    await damage(store, how, kind.object(), kind.other())
    const outcome = await tryRestore(store, kind.isOfFirst && first?.id)
    expect(outcome).toMatchObject({
      kind: expected,
      words: expect.stringContaining(expected === 'whole' ? '' : (kind.told?.() ?? '')),
    })
    const { notes } = outcome
    expect(notes).toEqual(expected === 'refused' ? [] : NOTES.slice(0, notes.length))
    if (expected === 'whole') expect(notes).toEqual(NOTES)
    if (expected === 'gap') expect(notes.length).toBeGreaterThanOrEqual(kind.least ?? NOTES.length)
  })
})

test('every gap is named, and the list shows up to where each backup can be restored', async () => {
  const store = await copied()
  for (const segment of [segments[0], segments[2]]) await store.delete(`${chain()}/wal/${segment}`)
  const { words, restored } = await tryRestore(store, first?.id)
  expect(words).toBe(`${segments[0]} is missing; ${segments[2]} is missing`)
  expect(restored?.until).toBe(first?.endedAt)
  const place = await describePlace(openVault(store, undefined))
  expect(place.backups).toMatchObject([
    {
      manifest: { id: first?.id },
      restorableUntil: first?.endedAt,
      gaps: [`2 objects from ${segments[0]} to ${segments[2]} are missing`],
    },
    { manifest: { id: second?.id }, gaps: [] },
  ])
})

test(
  'the commands name a gap, and a moment after the archive, and exit with 1',
  async () => {
    const store = await copied()
    const rapport = (...args: string[]) => run([MAIN, ...args, '--from', store.where], {})
    const future = await rapport('restore', '--to', '2100-01-01T00:00:00Z', '--data-dir', place('restored'))
    expect(future).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/Gap: the archive ends at .*, before/),
    })
    await store.delete(`${chain()}/wal/${segments[1]}`)
    const restored = await rapport('restore', '--backup', first?.id ?? '', '--data-dir', place('restored'))
    expect(restored).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Gap: ${segments[1]} is missing.`),
    })
    expect(restored.stdout).toMatch(/Nothing later than \S+ could be restored/)
    const listed = await rapport('backup', 'list')
    expect(listed.stdout).toContain(`Backup ${first?.id} has a gap: ${segments[1]} is missing`)
  },
  SLOW.timeout,
)

test('a bucket with a segment missing is told as a folder is', async () => {
  const standIn = await startStandIn()
  const bucket = openS3Store(standIn.access, 'backups')
  const source = openFolderStore(join(root, 'store'))
  for await (const name of source.list('')) await bucket.put(name, await bytesAt(source, name))
  await bucket.delete(`${chain()}/wal/${segments[1]}`)
  expect(await tryRestore(bucket, first?.id)).toMatchObject({
    kind: 'gap',
    words: `${segments[1]} is missing`,
    notes: [1, 2],
  })
  await bucket.close()
  await standIn.close()
})

test('the whole backup is restored whole from the first too', async () => {
  expect(await tryRestore(await copied(), first?.id)).toMatchObject({ kind: 'whole', notes: NOTES })
})
