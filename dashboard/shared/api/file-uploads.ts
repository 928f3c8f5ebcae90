// Uploads a file in two steps, as any API client does: request an upload address, then send the file to it.
import { DASHBOARD_BUCKET } from '../../../contract/buckets.ts'
import { request } from './client.ts'
import { ApiError } from './errors.ts'
import { reachable } from './file-address.ts'
import { readType } from './file-type.ts'
import { type Sending, sendFile } from './upload.ts'

const NAME_BYTES_MAX = 200
/** Errors after which a new upload address helps: the address expired, for example while the computer slept. */
const OUTDATED = ['upload_expired', 'invalid_signature', 'not_found']

const FORBIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029/\\%]/gu
const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?=\.|$)/i

function shortened(name: string): string {
  const [, base = name, ending = ''] = /^(.*?)(\.[\w-]{1,16})?$/su.exec(name) ?? []
  const bytes = new TextEncoder().encode(base).slice(0, NAME_BYTES_MAX)
  // The cut may split a character. Its remainder is removed.
  return `${new TextDecoder().decode(bytes).replace(/\ufffd+$/u, '')}${ending}`
}

/**
 * The file name in the form that the service accepts in a path (docs/guide/files.md). Downloads are saved under this
 * name. Pages show the original name.
 */
export function pathName(name: string): string {
  // Normalized first: normalization can turn look-alikes into forbidden characters.
  const plain = name.toWellFormed().normalize('NFKC').replace(FORBIDDEN, '_')
  const trimmed = shortened(plain).replace(/[ .]+$/, '')
  return trimmed.replace(/^[ .]*$/, 'file').replace(RESERVED, '_$&')
}

async function tryUpload(org: string, file: File, sending: Sending): Promise<string> {
  const contentType = await readType(file)
  const { signedUrl, publicUrl, headers } = await request('POST /files/upload-url', {
    org,
    body: {
      bucket: DASHBOARD_BUCKET,
      path: `${crypto.randomUUID()}/${pathName(file.name)}`,
      contentType,
      size: file.size,
    },
    signal: sending.signal,
  })
  await sendFile(
    { method: 'PUT', url: reachable(signedUrl), headers: { 'content-type': contentType, ...headers } },
    file,
    sending,
  )
  return publicUrl
}

const isOutdated = (error: unknown) =>
  error instanceof ApiError && (OUTDATED as readonly string[]).includes(error.code)

/** @returns the public address of the file @throws ApiError; the signal's reason when it is aborted */
export async function uploadFile(org: string, file: File, sending: Sending): Promise<string> {
  try {
    return await tryUpload(org, file, sending)
  } catch (error) {
    if (!isOutdated(error)) throw error
    return tryUpload(org, file, sending)
  }
}
