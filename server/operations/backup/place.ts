// The marker of a place for backups. A folder without one may be where a disk is not mounted, or a path with a mistake:
// backups that are made there are not where they are looked for.
import { listBackups } from './manifest.ts'
import { BackupError, type ObjectStore, putJson, readJson } from './object-store.ts'

const MARKER = 'rapport-backups.json'

/** @returns false where it had been marked before; a marker that is damaged is replaced */
async function mark(store: ObjectStore): Promise<boolean> {
  const marker = { format: 1, preparedAt: new Date().toISOString() }
  if (await putJson(store, MARKER, marker, { ifAbsent: true })) return true
  return (await readJson(store, MARKER)) ? false : putJson(store, MARKER, marker)
}

/** `rapport backup init`. @returns false where the place had been prepared before */
export async function preparePlace(store: ObjectStore): Promise<boolean> {
  await store.prepare()
  return mark(store)
}

/** Also one that was begun: the first may not have ended. */
async function hasBackups(store: ObjectStore): Promise<boolean> {
  const { backups, damaged, unfinished } = await listBackups(store)
  return backups.length + damaged.length + unfinished.length > 0
}

/**
 * Changes nothing.
 * @returns whether it has a marker; without one, it has backups of a version that made none, or is a bucket
 * @throws BackupError for a folder that is not there, or is empty and was not prepared
 */
export async function isMarked(store: ObjectStore): Promise<boolean> {
  if (await readJson(store, MARKER)) return true
  // A bucket is always there, or the request fails.
  if (store.kind === 'bucket' || (await hasBackups(store))) return false
  throw new BackupError(
    `The backup folder ${store.where} has no backups and was not prepared: mount its disk, or prepare a new folder by rapport backup init --to ${store.where}`,
  )
}

/**
 * Before something is stored there.
 * @returns whether it was marked just now, although it has backups: of a version that made no marker
 * @throws BackupError as isMarked
 */
export async function requirePlace(store: ObjectStore): Promise<{ isAdopted: boolean }> {
  if (await isMarked(store)) return { isAdopted: false }
  const isAdopted = await hasBackups(store)
  await mark(store)
  return { isAdopted }
}
