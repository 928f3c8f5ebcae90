// Files under DATA_DIR/files, and the service's upload addresses.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { constants, createReadStream } from 'node:fs'
import { access, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { errorCode } from '../../db/pool.ts'
import { openSigner } from '../../secrets/signer.ts'
import type { DiskStorage, Upload } from '../storage.ts'
import { DRAFTS, type FileSpace, onDisk, openDraft } from './draft.ts'

const PURPOSE = 'rapport: addresses of uploads'

/** Bytes of one read when a file is sent; at most two such pieces are in memory. */
const PIECE_BYTES = 256 * 1024

/** The text to sign, as JSON: no two uploads have the same text. */
const signedText = ({ organizationId, fileId, expires, contentType, size }: Omit<Upload, 'key'>) =>
  JSON.stringify(['PUT', organizationId, fileId, expires, contentType ?? null, size ?? null])

function addressOf(baseUrl: string, upload: Upload, signature: string): string {
  const url = new URL(`${baseUrl}/files/upload/${upload.organizationId}/${upload.fileId}`)
  url.searchParams.set('expires', String(upload.expires))
  if (upload.contentType !== undefined) url.searchParams.set('contentType', upload.contentType)
  if (upload.size !== undefined) url.searchParams.set('size', String(upload.size))
  url.searchParams.set('signature', signature)
  return url.href
}

/** Returns undefined if the file does not exist, instead of an error. */
async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function sweepDrafts(folder: string, before: Date): Promise<number> {
  let swept = 0
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const found = await ifThere(stat(join(folder, name)))
    if (!found || found.mtime >= before) continue
    await rm(join(folder, name), { force: true })
    swept++
  }
  return swept
}

/** The folder, or its nearest existing parent: the folder can be created if this parent is writable. */
async function nearest(folder: string): Promise<string> {
  const isThere = await stat(folder).catch(() => undefined)
  return isThere || dirname(folder) === folder ? folder : nearest(dirname(folder))
}

/** Errors with separate readiness conditions: the disk is full, or the process has no file descriptor left. */
const OF_OTHERS = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']

/** Creates a file, because only this shows whether a folder is writable. A leftover file is swept as a draft. */
async function tryToWrite(drafts: string): Promise<void> {
  const path = join(drafts, randomUUID())
  await (await open(path, 'wx', 0o600)).close()
  await rm(path)
}

async function whyNotWritable(wanted: string): Promise<string | undefined> {
  const folder = await nearest(wanted)
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`
    await access(folder, constants.W_OK | constants.X_OK)
    if (basename(folder) === DRAFTS) await tryToWrite(folder)
    return undefined
  } catch (error) {
    return OF_OTHERS.includes(errorCode(error) ?? '') ? undefined : `${folder} cannot be written to`
  }
}

export function createDiskStorage(
  config: Pick<Config, 'dataDir' | 'baseUrl' | 'secretsKeys'>,
  space: FileSpace = { requireForFile: () => undefined },
): DiskStorage {
  const root = join(config.dataDir, 'files')
  const drafts = join(root, DRAFTS)
  const signer = openSigner(config, PURPOSE)
  const placeOf = (key: string) => join(root, key)
  return {
    kind: 'disk',
    presignPut: async (upload) => ({
      url: addressOf(config.baseUrl, upload, signer.sign(signedText(upload))),
      headers: {},
    }),
    isSigned: (upload, signature) => signer.isSigned(signedText(upload), signature),
    draft: (bytes) => openDraft(drafts, { placeOf, space, bytes }),
    async get({ key }, range) {
      const stream = createReadStream(placeOf(key), { ...range, highWaterMark: PIECE_BYTES })
      return onDisk(root, () => ifThere(once(stream, 'open').then(() => stream)))
    },
    exists: (key) => onDisk(root, async () => (await ifThere(stat(placeOf(key)))) !== undefined),
    delete: (key) => onDisk(root, () => rm(placeOf(key), { force: true })),
    sweepDrafts: (before) => sweepDrafts(drafts, before),
    check: async () => (await whyNotWritable(root)) ?? (await whyNotWritable(drafts)),
    close: async () => undefined,
  }
}
