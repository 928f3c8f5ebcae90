// Backups in a folder. An object gets its name only when it is complete and on the disk.
import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { freeText, isNoSpace } from '../../base/no-space.ts'
import { inheritOwner, makeFolder, syncFolder } from '../../base/ownership.ts'
import { BackupError, type ObjectStore } from './object-store.ts'

/** Objects that are being written. */
const PARTIAL = '.partial'

const ifThere = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })

async function publish(draft: string, path: string, ifAbsent: boolean): Promise<boolean> {
  if (!ifAbsent) {
    await rename(draft, path)
    return true
  }
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Fails without the folder: a new folder in place of an unmounted disk would fill the disk below it. */
async function requireFolder(root: string): Promise<void> {
  if (await ifThere(stat(root))) return
  throw new BackupError(
    `The backup folder ${root} does not exist: mount its disk, or make the folder by rapport backup init`,
  )
}

async function putFile(root: string, name: string, bytes: Buffer, ifAbsent: boolean): Promise<boolean> {
  const path = join(root, name)
  const draft = join(root, PARTIAL, randomBytes(8).toString('hex'))
  await requireFolder(root)
  await makeFolder(dirname(draft))
  await makeFolder(dirname(path))
  try {
    await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
    inheritOwner(draft)
    const isPut = await publish(draft, path, ifAbsent)
    if (isPut) await syncFolder(dirname(path))
    return isPut
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}

const DAY_MS = 24 * 3600_000

async function sweepDrafts(folder: string): Promise<void> {
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const found = await ifThere(stat(join(folder, name)))
    if (found && found.mtimeMs < Date.now() - DAY_MS) await rm(join(folder, name), { force: true })
  }
}

/** A folder is sorted by its name with a slash, so that whole names come in the order of their characters. */
async function* listFiles(root: string, prefix: string): AsyncGenerator<string> {
  const entries = (await ifThere(readdir(join(root, prefix), { withFileTypes: true }))) ?? []
  const names = entries
    .filter(({ name }) => !(prefix === '' && name === PARTIAL))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
  for (const name of names)
    if (name.endsWith('/')) yield* listFiles(root, `${prefix}${name}`)
    else yield `${prefix}${name}`
}

function reasonOf(root: string, error: unknown, neededBytes: number | undefined): string {
  if (isNoSpace(error))
    return `The disk of the backup folder ${root} is full (${freeText(root, neededBytes)}): free some space, lower BACKUP_RETENTION_DAYS, or set BACKUP_URL to a larger disk`
  return `The backup folder ${root} cannot be used (${(error as Error).message}): check its path and permissions`
}

/** Converts an error of the file system to an error that names the folder. */
function explained<Words extends unknown[], Result>(
  root: string,
  work: (...words: Words) => Promise<Result>,
): (...words: Words) => Promise<Result> {
  return async (...words) => {
    try {
      return await work(...words)
    } catch (error) {
      if (error instanceof BackupError) throw error
      const bytes = words.find((word) => Buffer.isBuffer(word))
      throw new BackupError(reasonOf(root, error, bytes?.length), { cause: error })
    }
  }
}

export function openFolderStore(path: string): ObjectStore {
  const root = resolve(path)
  return {
    where: root,
    kind: 'folder',
    prepare: explained(root, () => makeFolder(root)),
    put: explained(root, (name: string, bytes: Buffer, options: { ifAbsent?: true } = {}) =>
      putFile(root, name, bytes, options.ifAbsent ?? false),
    ),
    get: explained(root, (name: string) => ifThere(readFile(join(root, name)))),
    list: (prefix) => listFiles(root, prefix),
    folders: explained(root, async (prefix: string) => {
      const entries = (await ifThere(readdir(join(root, prefix), { withFileTypes: true }))) ?? []
      return entries.filter((one) => one.isDirectory() && one.name !== PARTIAL).map(({ name }) => name)
    }),
    delete: explained(root, (name: string) => rm(join(root, name), { force: true })),
    deleteAll: explained(root, (prefix: string) => rm(join(root, prefix), { recursive: true, force: true })),
    sweep: explained(root, () => sweepDrafts(join(root, PARTIAL))),
    close: async () => undefined,
  }
}
