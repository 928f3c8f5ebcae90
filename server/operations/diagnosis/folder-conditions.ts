// Whether the service can use the files of DATA_DIR besides the database, for /readyz. Only `rapport doctor` reports
// paths, with its own checks (data-folder.ts), because /readyz is public.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { errorCode } from '../../base/error-code.ts'
import type { Config } from '../../config/config.ts'
import { openFileStorage } from '../../files/open-storage.ts'
import { findKeyFault, KEY_FILES, type KeyFault, type KeyPlace } from '../../secrets/key-files.ts'
import type { HealthCondition } from './conditions.ts'
import type { Finding } from './finding.ts'

export interface FaultyKey {
  name: string
  fault: KeyFault
}

export const faultyKeys = (place: KeyPlace): FaultyKey[] =>
  KEY_FILES.filter(({ isReplaced }) => !isReplaced(place)).flatMap((key) => {
    const fault = findKeyFault(key, place.dataDir)
    return fault ? [{ name: key.name, fault }] : []
  })

export const faultsText = (faults: readonly FaultyKey[]): string =>
  faults.map(({ name, fault }) => `${name} ${fault}`).join(', ')

async function examineFiles({ config }: { config: Config }): Promise<Finding> {
  const check = 'files'
  const well: Finding = { check, status: 'ok', detail: 'files can be stored' }
  // A bucket is not checked: it is behind the network, and all processes would report its faults.
  if (config.s3 !== undefined) return well
  const storage = openFileStorage(config)
  const problem = await storage.check().finally(() => storage.close())
  if (problem === undefined) return well
  return {
    ...{ check, status: 'fail', detail: 'no file can be stored: DATA_DIR/files cannot be written to' },
    advice: 'make the account that runs the service the owner of DATA_DIR',
  }
}

/** A folder that does not exist yet counts as writable, because it can probably be made. */
const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    (error: unknown) => errorCode(error) === 'ENOENT',
  )

/** A missing key file is no fault if it can be made when it is needed. */
async function examineKeys({ config }: { config: Config }): Promise<Finding> {
  const check = 'keys'
  const faults = faultyKeys(config)
  const isMissing = ({ fault }: FaultyKey) => fault === 'is missing'
  const isUsable = faults.every(isMissing) && (faults.length === 0 || (await isWritable(config.dataDir)))
  if (isUsable) return { check, status: 'ok', detail: 'the key files can be used' }
  return {
    ...{ check, status: 'fail', detail: `key files in DATA_DIR cannot be used: ${faultsText(faults)}` },
    advice: 'make the account that runs the service the owner of DATA_DIR and of these files',
  }
}

export const folderConditions: readonly HealthCondition[] = [
  { check: 'files', readiness: 'stops', examine: examineFiles },
  { check: 'keys', readiness: 'stops', examine: examineKeys },
]
