// Files under DATA_DIR/files, and addresses of our own to put them to.
import { once } from 'node:events'
import { constants, createReadStream } from 'node:fs'
import { access, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { errorCode } from '../../db/pool.ts'
import { openSigner } from '../../secrets/signer.ts'
import type { DiskStorage, Upload } from '../storage.ts'
import { DRAFTS, onDisk, openDraft } from './draft.ts'

const PURPOSE = 'rapport: addresses of uploads'

/** Bytes of a file that are read at once while it is sent; at most two such pieces are in memory. */
const PIECE_BYTES = 256 * 1024

/** As JSON, so that no two uploads have the same text. */
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

/** Undefined instead of an error that says there is no such file. */
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

/** The folder, or the nearest above it that is there: it can be made when that can be written to. */
async function nearest(folder: string): Promise<string> {
  const isThere = await stat(folder).catch(() => undefined)
  return isThere || dirname(folder) === folder ? folder : nearest(dirname(folder))
}

async function whyNotWritable(root: string): Promise<string | undefined> {
  const folder = await nearest(root)
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch {
    return `${folder} cannot be written to`
  }
}

export function createDiskStorage(config: Pick<Config, 'dataDir' | 'baseUrl' | 'secretsKeys'>): DiskStorage {
  const root = join(config.dataDir, 'files')
  const signer = openSigner(config, PURPOSE)
  const placeOf = (key: string) => join(root, key)
  return {
    kind: 'disk',
    presignPut: async (upload) => ({
      url: addressOf(config.baseUrl, upload, signer.sign(signedText(upload))),
      headers: {},
    }),
    isSigned: (upload, signature) => signer.isSigned(signedText(upload), signature),
    draft: () => openDraft(join(root, DRAFTS), placeOf),
    async get({ key }, range) {
      const stream = createReadStream(placeOf(key), { ...range, highWaterMark: PIECE_BYTES })
      return onDisk(() => ifThere(once(stream, 'open').then(() => stream)))
    },
    delete: (key) => onDisk(() => rm(placeOf(key), { force: true })),
    sweepDrafts: (before) => sweepDrafts(join(root, DRAFTS), before),
    check: () => whyNotWritable(root),
    close: async () => undefined,
  }
}
