// Whether the service can use what DATA_DIR holds in addition to the database, for /readyz. Paths are reported only
// by `rapport doctor`, with its own checks (data-folder.ts): anyone may ask for /readyz.
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
  // A bucket is asked over the network, and another process has the same faults of it.
  if (config.s3 !== undefined) return well
  const storage = openFileStorage(config)
  const problem = await storage.check().finally(() => storage.close())
  if (problem === undefined) return well
  return {
    ...{ check, status: 'fail', detail: 'no file can be stored: DATA_DIR/files cannot be written to' },
    advice: 'make the account that runs the service the owner of DATA_DIR',
  }
}

/** One that does not exist yet can be made, as far as is known. */
const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    (error: unknown) => errorCode(error) === 'ENOENT',
  )

/** One that is missing is made when it is needed, where that is possible. */
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
