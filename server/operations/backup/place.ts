// The marker of a place for backups. A folder without a marker may be the mount point of an unmounted disk, or a
// mistyped path. Backups there would not be found later.
import { listBackups } from './manifest.ts'
import { BackupError, type ObjectStore, putJson, readJson } from './object-store.ts'

const MARKER = 'rapport-backups.json'

/** @returns false if the place already had a marker. A damaged marker is replaced. */
async function mark(store: ObjectStore): Promise<boolean> {
  const marker = { format: 1, preparedAt: new Date().toISOString() }
  if (await putJson(store, MARKER, marker, { ifAbsent: true })) return true
  return (await readJson(store, MARKER)) ? false : putJson(store, MARKER, marker)
}

/** `rapport backup init`. @returns false if the place was already prepared */
export async function preparePlace(store: ObjectStore): Promise<boolean> {
  await store.prepare()
  return mark(store)
}

/** Counts incomplete backups too, because the first backup may not have ended. */
async function hasBackups(store: ObjectStore): Promise<boolean> {
  const { backups, damaged, unfinished } = await listBackups(store)
  return backups.length + damaged.length + unfinished.length > 0
}

/**
 * Checks a place without changing it.
 * @returns true if it has a marker; false if it has backups of a version without markers, or is a bucket
 * @throws BackupError for a folder that does not exist, or is empty and was not prepared
 */
export async function isMarked(store: ObjectStore): Promise<boolean> {
  if (await readJson(store, MARKER)) return true
  // A bucket always exists; otherwise the request fails.
  if (store.kind === 'bucket' || (await hasBackups(store))) return false
  throw new BackupError(
    `The backup folder ${store.where} has no backups and was not prepared: mount its disk, or prepare a new folder by rapport backup init --to ${store.where}`,
  )
}

/**
 * To be called before something is stored in the place.
 * @returns isAdopted: it has backups of a version without markers, and has just been marked
 * @throws BackupError as isMarked
 */
export async function requirePlace(store: ObjectStore): Promise<{ isAdopted: boolean }> {
  if (await isMarked(store)) return { isAdopted: false }
  const isAdopted = await hasBackups(store)
  await mark(store)
  return { isAdopted }
}
