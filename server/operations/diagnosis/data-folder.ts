// Checks of `rapport doctor` for the key files of DATA_DIR, and for the owners of its files.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../../contract/counted.ts'
import type { Config } from '../../config/config.ts'
import { type KeyFault, MADE_KEY_FILES } from '../../secrets/key-files.ts'
import type { Finding } from './finding.ts'
import { type FaultyKey, faultsText, faultyKeys } from './folder-conditions.ts'
import { hasDatabase } from './service.ts'

const KEY_ADVICE: Readonly<Record<KeyFault, string>> = {
  'is missing': 'the next start makes it; if it existed before, restore it from a backup first',
  'cannot be read': 'make the account that runs the service its owner, by chown',
  'contains no key': 'restore it from a backup',
}

/** Whether the next start makes the key file again. */
const isRemade = ({ name, fault }: FaultyKey) =>
  fault === 'is missing' && MADE_KEY_FILES.some((one) => one.name === name)

const adviceOn = (one: FaultyKey) =>
  one.fault === 'is missing' && !isRemade(one)
    ? 'restore it from a backup: the service does not start without it'
    : KEY_ADVICE[one.fault]

/** Checks nothing before the first start, which makes the key files. */
export async function checkKeyFiles(config: Config): Promise<Finding[]> {
  if (!(await hasDatabase(config))) return []
  const check = 'keys'
  const faults = faultyKeys(config)
  const worst = faults.find((one) => !isRemade(one)) ?? faults[0]
  if (worst === undefined) return [{ check, status: 'ok', detail: 'all key files can be used' }]
  const status = isRemade(worst) ? 'warn' : 'fail'
  const detail = `in ${config.dataDir}, ${faultsText(faults)}`
  return [{ check, status, detail, advice: adviceOn(worst) }]
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

/** Leaves out PostgreSQL's folders, which may belong to another account. */
async function ownedPaths(dataDir: string, files: string): Promise<string[]> {
  const folders = await foldersIn(files)
  const inner = await Promise.all(folders.map(foldersIn))
  return [...MADE_KEY_FILES.map(({ name }) => join(dataDir, name)), files, ...folders, ...inner.flat()]
}

/** Finds files that root made, in earlier versions or by hand, and that a service of another account cannot use. */
export async function checkOwners({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding[]> {
  const uidOf = (path: string) =>
    stat(path).then(
      ({ uid }) => uid,
      () => undefined,
    )
  const owner = await uidOf(dataDir)
  const files = join(dataDir, 'files')
  const foreign: string[] = []
  for (const path of owner ? await ownedPaths(dataDir, files) : []) {
    const uid = await uidOf(path)
    if (uid !== undefined && uid !== owner) foreign.push(path)
  }
  if (foreign.length === 0) return []
  const more = foreign.length > 1 ? ` and ${counted(foreign.length - 1, 'other path')}` : ''
  const places = new Set(foreign.map((path) => (path.startsWith(files) ? files : path)))
  return [
    {
      ...{ check: 'owners', status: 'fail' },
      detail: `the owner of ${dataDir}, as which the service should run, does not own ${foreign[0]}${more}`,
      advice: `chown -R --reference=${dataDir} ${[...places].join(' ')}`,
    },
  ]
}
