// Puts a file to where files lie: asks for an address, sends it there. The same two steps as every program's.
import { DASHBOARD_BUCKET } from '../../../contract/buckets.ts'
import { request } from './client.ts'
import { ApiError } from './errors.ts'
import { reachable } from './file-address.ts'
import { readType } from './file-type.ts'
import { type Sending, sendFile } from './upload.ts'

const NAME_BYTES_MAX = 200
/** Codes of an address that another one is as good as: it grew old while the computer slept. */
const OUTDATED = ['upload_expired', 'invalid_signature', 'not_found']

const FORBIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029/\\%]/gu
const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?=\.|$)/i

function shortened(name: string): string {
  const [, base = name, ending = ''] = /^(.*?)(\.[\w-]{1,16})?$/su.exec(name) ?? []
  const bytes = new TextEncoder().encode(base).slice(0, NAME_BYTES_MAX)
  // Half of a character at the cut is none.
  return `${new TextDecoder().decode(bytes).replace(/\ufffd+$/u, '')}${ending}`
}

/**
 * The name as the service takes it in a path (docs/guide/files.md): downloads are saved under this one, people see the
 * one they gave.
 */
export function pathName(name: string): string {
  // Compatible forms first: some look-alikes become forbidden characters.
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

/** @returns its public address @throws ApiError; what the signal says when it is aborted */
export async function uploadFile(org: string, file: File, sending: Sending): Promise<string> {
  try {
    return await tryUpload(org, file, sending)
  } catch (error) {
    if (!isOutdated(error)) throw error
    return tryUpload(org, file, sending)
  }
}
