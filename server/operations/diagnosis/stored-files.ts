// Whether the files that the database lists are in the store of this machine. They are not if another machine has stored
// them in its own folder, or if a folder or bucket was lost or exchanged.

import { counted } from '../../../contract/counted.ts'
import { messageOf } from '../../base/message-of.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { openFileStorage } from '../../files/open-storage.ts'
import type { FileStorage } from '../../files/storage.ts'
import { selectStillStored, selectStoredSample } from '../../files/store.ts'
import type { Finding } from './finding.ts'

/** Of the last files, and of the others. */
const EACH = 25

const check = 'stored files'

interface Sample {
  looked: number
  /** Keys of files that are listed but not in the store. */
  missing: string[]
}

/** Looks twice: a file may have been deleted after the sample was taken. */
async function lookUp(db: Db, storage: FileStorage): Promise<Sample> {
  const sample = await selectStoredSample(db, EACH)
  const isThere = await Promise.all(sample.map(({ key }) => storage.exists(key)))
  const absent = sample.filter((_, at) => !isThere[at])
  const missing = absent.length === 0 ? [] : await selectStillStored(db, absent)
  return { looked: sample.length, missing: missing.map(({ key }) => key) }
}

const ADVICE = {
  disk: 'each machine needs the same DATA_DIR/files, or a bucket (S3_BUCKET): see where they were stored, and copy them from there or from a backup',
  s3: 'check that S3_BUCKET is the bucket in which they were stored; otherwise find what removes objects there, and restore them from its versions',
} as const

function judge({ looked, missing }: Sample, kind: keyof typeof ADVICE, where: string): Finding {
  if (missing.length === 0)
    return { check, status: 'ok', detail: `${counted(looked, 'file')} looked for, all in ${where}` }
  const detail = `of ${counted(looked, 'file')} looked for, ${counted(missing.length, 'is', 'are')} missing in ${where}, such as ${missing[0]}`
  return { check, status: 'fail', detail, advice: ADVICE[kind] }
}

/** Looks for some of the files of one database. Finds nothing while the store cannot be used, which `files` reports. */
export async function checkStoredFiles(config: Config, db: Db): Promise<Finding[]> {
  const storage = openFileStorage(config)
  try {
    if ((await storage.check()) !== undefined) return []
    const where = config.s3 ? `the bucket ${config.s3.bucket}` : `${config.dataDir}/files`
    return [judge(await lookUp(db, storage), storage.kind, where)]
  } catch (error) {
    const detail = `they could not be looked for: ${messageOf(error)}`
    return [{ check, status: 'warn', detail, advice: 'run it again; look into the store if it stays so' }]
  } finally {
    await storage.close()
  }
}
