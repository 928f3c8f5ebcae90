// Drills: a copy of a place of backups with one damaged object is restored. The data and messages of the restore are
// compared with the ledger.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MAIN, run } from '../../../cli/cli.fixture.ts'
import { isComplete } from '../../../cli/restore-lines.ts'
import { restore } from './backup.fixture.ts'
import { pickBackup } from './choose.ts'
import { openFolderStore } from './folder-store.ts'
import { type Accounts, accountsIn, type BackupStorage, type History } from './history.fixture.ts'
import { parseLsn, segmentName } from './lsn.ts'
import { type BackupManifest, backupPrefix } from './manifest.ts'
import type { ObjectStore } from './object-store.ts'
import type { RestoredBackup } from './restore.ts'
import { openVault, type Vault } from './vault.ts'
import { PARTIAL_SEGMENT } from './wal-archive.ts'

/** Hard links are enough for a copy: objects are replaced, never changed. */
export function copyStore({ path }: Pick<BackupStorage, 'path'>, copy: string): ObjectStore {
  execFileSync('cp', ['--archive', '--link', path, copy])
  return openFolderStore(copy)
}

export const DAMAGES = ['missing', 'cut off', 'changed', 'another'] as const
export type Damage = (typeof DAMAGES)[number]

const bytesAt = async (store: ObjectStore, name: string): Promise<Buffer> => {
  const bytes = await store.get(name)
  if (bytes === undefined) throw new Error(`there is no ${name}`)
  return bytes
}

/** @param other the object that is swapped with this one */
export async function damage(store: ObjectStore, how: Damage, name: string, other: string): Promise<void> {
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

export interface Outcome {
  /** undefined: the restore was refused. */
  restored?: RestoredBackup
  /** The data in the restored folder. */
  found?: Accounts
  /** The message to the operator about missing data. */
  words: string
  /** Whether the command exits with 0. */
  isWhole: boolean
}

interface Wanted {
  /** A new folder. */
  target: string
  /** The id of a backup; undefined: the newest that fits. */
  id?: string | undefined
  to?: Date | undefined
}

const wordsOf = ({ gaps, files }: RestoredBackup) => [...gaps, ...files.missing].join('; ')

export async function tryRestore(vault: Vault, { target, id, to }: Wanted): Promise<Outcome> {
  try {
    const chosen = await pickBackup(vault, { id, to })
    const restored = await restore(vault, target, { id: chosen.id, ...(to && { to }) })
    const found = await accountsIn(target)
    return { restored, found, words: wordsOf(restored), isWhole: isComplete(restored) }
  } catch (error) {
    return { words: (error as Error).message, isWhole: false }
  }
}

/** The same through the command line. */
async function tryCommand(from: string, key: Buffer | undefined, wanted: Wanted): Promise<Outcome> {
  const { target, id, to } = wanted
  const words = ['restore', '--json', '--from', from, '--data-dir', target]
  if (id !== undefined) words.push('--backup', id)
  if (to !== undefined) words.push('--to', to.toISOString())
  const env: Record<string, string> = key === undefined ? {} : { BACKUP_KEY: key.toString('base64') }
  const { code, stdout, stderr } = await run([MAIN, ...words], env)
  if (stdout === '') return { words: stderr, isWhole: code === 0 }
  const restored: RestoredBackup = JSON.parse(stdout)
  return { restored, found: await accountsIn(target), words: wordsOf(restored), isWhole: code === 0 }
}

export interface Drill {
  storage: BackupStorage
  how: Damage
  object: string
  other: string
  /** The id of a backup; undefined: the newest before the time. */
  id: string | undefined
  /** The index of the time to restore to. */
  point: number
}

const touchedBy = ({ how, object, other }: Drill) => (how === 'another' ? [object, other] : [object])

/** The backup that would be restored if nothing were damaged. */
function backupOf({ storage, id, point }: Drill, { points }: History): BackupManifest {
  const at = points[point]?.at.toISOString() ?? ''
  const found = storage.made.findLast(({ manifest }) =>
    id === undefined ? manifest.endedAt <= at : manifest.id === id,
  )
  if (found === undefined) throw new Error('there is no backup before the point in time')
  return found.manifest
}

const FILE = /\/files\/(.+)\/\d+$/
const NEVER_NEEDED = /gone-files$|\/chain\.json$|^rapport-backups\.json$/

/** Whether the restore certainly does not need the object. */
function isNotNeeded(object: string, backup: BackupManifest, wanted: Accounts): boolean {
  const { chain, startLsn, timeline, segmentBytes } = backup
  if (NEVER_NEEDED.test(object)) return true
  if (object.startsWith(`${chain}/backups/`)) return !object.startsWith(backupPrefix(backup))
  if (object.startsWith(`${chain}/wal/`))
    return basename(object) < segmentName(timeline, parseLsn(startLsn), segmentBytes)
  const [, key] = FILE.exec(object) ?? []
  return key !== undefined && wanted.files[key] === undefined
}

/** The name by which the operator finds the damaged object. */
const nameOf = (object: string) => FILE.exec(object)?.[1] ?? basename(object, PARTIAL_SEGMENT)

const ABOUT_THE_LOG = /\bthe log (?:cannot be read after|ends at) /

function isNamed(words: string, drill: Drill, { id }: BackupManifest): boolean {
  const names = [...touchedBy(drill).map(nameOf), id]
  return ABOUT_THE_LOG.test(words) || names.some((name) => words.includes(name))
}

const without = ({ files, ...rest }: Accounts, missing: readonly string[]): Accounts => ({
  ...rest,
  files: Object.fromEntries(Object.entries(files).filter(([key]) => !missing.includes(key))),
})

/** Whether a restore with a gap has a state that existed, no earlier than the time that it names. */
function isTrue({ restored, found }: Outcome, drill: Drill, { ledger, points }: History): boolean {
  if (restored === undefined) return false
  const to = points[drill.point]?.state ?? 0
  const { backup, until, gaps, files } = restored
  const ofBackup = drill.storage.made.find(({ manifest }) => manifest.id === backup)?.state ?? to
  const ofTime = points.findLast(({ at }) => at.toISOString() <= until)?.state ?? 0
  const from = gaps.length === 0 ? to : Math.min(to, Math.max(ofBackup, ofTime))
  return ledger.slice(from, to + 1).some((state) => isDeepStrictEqual(found, without(state, files.missing)))
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The fault of a restore; undefined: it restored everything, or named what is missing. */
function faultOf(drill: Drill, outcome: Outcome, target: string, history: History): string | undefined {
  const backup = backupOf(drill, history)
  const wanted = history.ledger[history.points[drill.point]?.state ?? 0] as Accounts
  const { restored, found, words, isWhole } = outcome
  if (isWhole) return isDeepStrictEqual(found, wanted) ? undefined : 'it exits with 0, and not all is there'
  if (touchedBy(drill).every((object) => isNotNeeded(object, backup, wanted)))
    return 'it does not bring all, although nothing that it needs is damaged'
  if (!isNamed(words, drill, backup)) return 'it does not name what is damaged'
  if (restored === undefined) return namesIn(target).length > 0 ? 'it was refused, and left files' : undefined
  return isTrue(outcome, drill, history) ? undefined : 'what it brought is no state that there was'
}

/** @param folder of this drill, removed afterwards @returns the fault, in one line; undefined: there is none */
export async function perform(
  drill: Drill,
  folder: string,
  { history, byCommand }: { history: History; byCommand: boolean },
): Promise<{ fault: string | undefined; outcome: Outcome }> {
  const { storage, how, object, other, id, point } = drill
  const [copy, target] = [`${folder}-store`, `${folder}-restored`]
  const store = copyStore(storage, copy)
  await damage(store, how, object, other)
  const wanted = { target, id, to: history.points[point]?.at }
  const outcome = byCommand
    ? await tryCommand(copy, storage.key, wanted)
    : await tryRestore(openVault(store, storage.key && [storage.key]), wanted)
  const fault = faultOf(drill, outcome, target, history)
  await Promise.all([copy, target].map((path) => rm(path, { recursive: true, force: true, maxRetries: 5 })))
  if (fault === undefined) return { fault, outcome }
  const said = `${outcome.words || 'nothing'}; found ${JSON.stringify(outcome.found)}`
  const what = `${object} ${how}${how === 'another' ? ` (${other})` : ''}`
  return {
    fault: `${what}, backup ${id ?? 'newest'}, point ${point}: ${fault}. It says: ${said}`,
    outcome,
  }
}
