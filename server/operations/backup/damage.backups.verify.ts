// One object of a backup is missing, cut off, changed or replaced by another, and the backup is restored to its end.
// The restore gives everything, or names what is missing, or is refused with the object's name. For restores to other
// times see drills.backups.verify.ts.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { MAIN, run } from '../../../cli/cli.fixture.ts'
import { readConfig } from '../../config/config.ts'
import { startStandIn } from '../../files/s3/stand-in.fixture.ts'
import { serverFolder } from '../../test/temporary-folder.ts'
import { checkBackup } from '../diagnosis/backup.ts'
import { placesIn } from './backup.fixture.ts'
import { describePlace } from './describe.ts'
import { copyStore, DAMAGES, type Damage, damage, type Outcome, tryRestore } from './drills.fixture.ts'
import { type Accounts, type BackupStorage, type History, openHistory } from './history.fixture.ts'
import { type BackupManifest, backupPrefix } from './manifest.ts'
import type { ObjectStore } from './object-store.ts'
import { openS3Store } from './s3-store.ts'
import { openVault } from './vault.ts'

const root = await serverFolder('backup')
const pathFor = placesIn(root)

let history: History
let plain: BackupStorage
let [first, second, third]: BackupManifest[] = []
/** The segments with the second, third and fourth note. */
let segments: string[] = []
/** A segment after the segment of the third note. */
let later = ''
/** A file that exists at the end, and one that was deleted before. */
let files: string[] = []

const last = () => history.ledger.length - 1

/** The index in the ledger of the state before a note. */
const before = (note: number) => history.ledger.findIndex(({ notes }) => notes.includes(note)) - 1

beforeAll(async () => {
  history = await openHistory(join(root, 'history'))
  plain = history.storages[0]
  ;[first, second, third] = plain.made.map(({ manifest }) => manifest)
  segments = [2, 3, 4].map((note) => history.segments[before(note) + 1] ?? '')
  const log = await Array.fromAsync(plain.vault.store.list(`${chain()}/wal/`))
  later = log[log.indexOf(`${chain()}/wal/${segments[1]}`) + 1] ?? ''
  const both = history.ledger.findLast((state) => Object.keys(state.files).length === 2)
  files = Object.keys(both?.files ?? {}).toReversed()
})

const chain = () => plain.chain.id
const prefixOf = (backup: BackupManifest | undefined) => {
  if (backup === undefined) throw new Error('there is no backup')
  return backupPrefix(backup)
}
const manifestOf = (backup: BackupManifest | undefined) => `${prefixOf(backup)}manifest.json`

/** A copy of the store, for one damage. */
const copied = () => copyStore(plain, pathFor('store'))

const restoreEnd = (store: ObjectStore, id?: string) =>
  tryRestore(openVault(store, undefined), { target: pathFor('restored'), id })

const kindOf = ({ isWhole, restored }: Outcome) => (isWhole ? 'whole' : restored ? 'gap' : 'refused')

interface Kind {
  name: string
  object(): string
  /** The object that replaces it, or is swapped with it. */
  other(): string
  /** True: restored from the first backup; else from the newest usable one. */
  isOfFirst?: true
  outcome: ReturnType<typeof kindOf>
  /** The text that names what is missing. */
  told?(): string
  /** The index in the ledger of the earliest state that a restore with a gap may have. */
  least?(): number
}

const KINDS: Kind[] = [
  {
    name: 'the end of the log',
    object: () => `${chain()}/head.json`,
    other: () => manifestOf(third),
    outcome: 'gap',
    told: () => 'head.json',
    least: last,
  },
  {
    name: 'a segment of the log',
    object: () => `${chain()}/wal/${segments[1]}`,
    other: () => later,
    isOfFirst: true,
    outcome: 'gap',
    told: () => segments[1] ?? '',
    least: () => before(3),
  },
  {
    name: 'the current segment of the log',
    object: () => `${chain()}/wal/${segments[2]}.partial`,
    other: () => `${chain()}/wal/${segments[0]}`,
    outcome: 'gap',
    told: () => segments[2] ?? '',
    least: () => before(4),
  },
  {
    name: 'a part of the database',
    object: () => third?.packs[0]?.name ?? '',
    other: () => third?.packs[1]?.name ?? '',
    outcome: 'refused',
    told: () => third?.packs[0]?.name ?? '',
  },
  {
    name: 'the manifest of the newest backup',
    object: () => manifestOf(third),
    other: () => manifestOf(first),
    outcome: 'whole',
  },
  {
    name: 'a file of a record',
    object: () => `${chain()}/files/${files[0]}/0`,
    other: () => `${chain()}/files/${files[1]}/0`,
    outcome: 'gap',
    told: () => files[0] ?? '',
    least: last,
  },
]

/** The list of deleted files, the owner of the chain and the marker of the place, each with an object to swap with. */
const notNeeded = (): [object: string, other: string][] => [
  [`${prefixOf(third)}gone-files`, `${chain()}/chain.json`],
  [`${chain()}/chain.json`, 'rapport-backups.json'],
  ['rapport-backups.json', `${prefixOf(first)}gone-files`],
]

const expectWhole = async (outcome: Promise<Outcome>) =>
  expect(await outcome).toMatchObject({ isWhole: true, words: '', found: history.ledger[last()] })

test.each(DAMAGES)('objects that a restore does not need, %s: everything is restored', async (how) => {
  const store = copied()
  for (const [object, other] of notNeeded()) await damage(store, how, object, other)
  await expectWhole(restoreEnd(store))
})

const indexOf = ({ notes, secrets }: Accounts) =>
  history.ledger.findLastIndex((state) => `${state.notes} ${state.secrets}` === `${notes} ${secrets}`)

describe.each(KINDS)('$name', (kind) => {
  test.each<Damage>(DAMAGES)(`%s: ${kind.outcome}`, async (how) => {
    const store = copied()
    await damage(store, how, kind.object(), kind.other())
    const outcome = await restoreEnd(store, kind.isOfFirst && first?.id)
    expect({ ...outcome, kind: kindOf(outcome) }).toMatchObject({
      kind: kind.outcome,
      words: expect.stringContaining(kind.told?.() ?? ''),
    })
    if (outcome.isWhole) expect(outcome.found).toEqual(history.ledger[last()])
    else if (outcome.found)
      expect(indexOf(outcome.found)).toBeGreaterThanOrEqual(kind.least?.() ?? history.ledger.length)
  })
})

test('secrets before a gap are decrypted with the key of that time', async () => {
  const store = copied()
  await store.delete(`${chain()}/wal/${segments[1]}`)
  const { found } = await restoreEnd(store, first?.id)
  expect(found?.secrets).toEqual(['first', 'second'])
})

test('without a readable manifest, the restore is refused', async () => {
  const store = copied()
  await damage(store, 'another', manifestOf(first), manifestOf(second))
  await store.delete(manifestOf(third))
  const outcome = await restoreEnd(store)
  expect(kindOf(outcome)).toBe('refused')
  expect(outcome.words).toContain('There is no complete backup')
})

test('every gap is named, and the list shows until when each backup can be restored', async () => {
  const store = copied()
  for (const segment of segments.slice(0, 2)) await store.delete(`${chain()}/wal/${segment}`)
  const { words, found } = await restoreEnd(store, first?.id)
  expect(words).toBe(`${segments[0]} is missing; ${segments[1]} is missing`)
  expect(found).toEqual(history.ledger[before(2)])
  const { backups } = await describePlace(openVault(store, undefined))
  expect(backups).toMatchObject([
    {
      manifest: { id: first?.id },
      restorableUntil: first?.endedAt,
      gaps: [`2 objects from ${segments[0]} to ${segments[1]} are missing`],
    },
    {
      manifest: { id: second?.id },
      restorableUntil: second?.endedAt,
      gaps: [`${segments[1]} is missing`],
    },
    { manifest: { id: third?.id }, gaps: [] },
  ])
})

test('the commands name a gap, and a time after the archive, and exit with 1', async () => {
  const store = copied()
  const rapport = (...args: string[]) => run([MAIN, ...args, '--from', store.where], {})
  const restoring = (...args: string[]) => rapport('restore', '--data-dir', pathFor('restored'), ...args)
  expect(await restoring('--to', '2100-01-01T00:00:00Z')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Gap: the archive ends at .*, before/),
  })
  await store.delete(`${chain()}/wal/${segments[1]}`)
  const restored = await restoring('--backup', first?.id ?? '')
  expect(restored).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`Gap: ${segments[1]} is missing.`),
  })
  expect(restored.stdout).toMatch(/Nothing later than \S+ could be restored/)
  const listed = await rapport('backup', 'list')
  expect(listed.stdout).toContain(`Backup ${first?.id} has a gap: ${segments[1]} is missing`)
})

test.each([
  ['missing keys', (store: ObjectStore) => store.delete(`${chain()}/keys`), 'is missing'],
  [
    'keys that cannot be read',
    (store: ObjectStore) => store.put(`${chain()}/keys`, Buffer.from('x')),
    'is damaged',
  ],
])('the list names %s, and the doctor too', async (_, damageKeys, fault) => {
  const store = copied()
  await damageKeys(store)
  const listed = await run([MAIN, 'backup', 'list', '--from', store.where], {})
  expect(listed.stdout).toMatch(
    new RegExp(`Backup ${third?.id} cannot be restored with all its keys: ${chain()}/keys .*${fault}`),
  )
  const json = await run([MAIN, 'backup', 'list', '--json', '--from', store.where], {})
  expect(JSON.parse(json.stdout).at(-1)).toMatchObject({
    gaps: [],
    keyGaps: [expect.stringMatching(`^${chain()}/keys .*${fault}`)],
  })
  const findings = await checkBackup(readConfig({ BACKUP_URL: store.where }), undefined, new Date())
  expect(findings).toContainEqual(expect.objectContaining({ check: 'backup keys', status: 'fail' }))
})

test('a missing segment in a bucket is reported as in a folder', async () => {
  const standIn = await startStandIn()
  const bucket = openS3Store(standIn.access, 'backups')
  const source = plain.vault.store
  for await (const name of source.list('')) {
    const bytes = await source.get(name)
    if (bytes) await bucket.put(name, bytes)
  }
  await bucket.delete(`${chain()}/wal/${segments[1]}`)
  const outcome = await restoreEnd(bucket, first?.id)
  expect(outcome).toMatchObject({ isWhole: false, words: `${segments[1]} is missing` })
  expect(outcome.found?.notes).toEqual(history.ledger[before(3)]?.notes)
  await bucket.close()
})

test('an undamaged backup is also restored completely from the first backup', () =>
  expectWhole(restoreEnd(copied(), first?.id)))
