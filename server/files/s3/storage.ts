// Files in a bucket.
import { UPLOAD_URL_HOURS } from '../../../contract/limits.ts'
import type { S3Access } from '../../config/config.ts'
import type { S3Storage, StoreObject, Upload } from '../storage.ts'
import { type Answer, type Ask, createAsk, dump, objectUrl, requireStatus, type Timeouts } from './client.ts'
import { presignedUrl } from './signature.ts'

const TIMEOUTS: Timeouts = { answerMs: 10_000, pieceMs: 30_000 }
const URL_SECONDS = UPLOAD_URL_HOURS * 3600

const NOT_FOUND = 404
/** The status if If-Match fails: the object has changed since it was checked. */
const CHANGED = 412

const textOf = (header: string | string[] | undefined) => [header].flat()[0] ?? ''

function objectOf({ headers }: Answer): StoreObject {
  return {
    size: Number(textOf(headers['content-length'])),
    contentType: textOf(headers['content-type']),
    etag: textOf(headers['etag']),
  }
}

async function headOf(ask: Ask, key: string): Promise<StoreObject | undefined> {
  const answer = await ask({ method: 'HEAD', key })
  await dump(answer)
  await requireStatus(answer, [200, NOT_FOUND])
  return answer.statusCode === NOT_FOUND ? undefined : objectOf(answer)
}

function reading(ask: Ask): Pick<S3Storage, 'head' | 'get' | 'exists'> {
  return {
    head: (key) => headOf(ask, key),
    exists: async (key) => (await headOf(ask, key)) !== undefined,
    async get({ key, etag }, range) {
      const headers = {
        ...(etag !== null && { 'if-match': etag }),
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
      }
      const answer = await ask({ method: 'GET', key, headers })
      await requireStatus(answer, [range ? 206 : 200, NOT_FOUND, CHANGED])
      if (answer.statusCode < 300) return answer.body
      await dump(answer)
      return undefined
    },
  }
}

const CHECK_ADVICE: Readonly<Record<number, string>> = {
  301: 'the bucket is in another region',
  403: 'it refuses the access key: its id or secret is wrong, or it has no permission for the bucket',
  404: 'there is no such bucket',
}

const MINUTE_MS = 60_000
/** A store refuses requests whose time differs more, with the same status as for a wrong key. */
const SKEW_MAX_MS = 15 * MINUTE_MS

function skewOf({ headers }: Answer): string | undefined {
  const awayMs = Math.abs(Date.parse(textOf(headers['date'])) - Date.now())
  if (!(awayMs >= SKEW_MAX_MS)) return undefined
  const minutes = Math.round(awayMs / MINUTE_MS)
  return `its clock differs from that of this machine by ${minutes} minutes, so it refuses every request: synchronize them with NTP`
}

async function check(ask: Ask): Promise<string | undefined> {
  try {
    const answer = await ask({ method: 'HEAD', key: '' })
    await dump(answer)
    const { statusCode } = answer
    if (statusCode === 200) return undefined
    return skewOf(answer) ?? CHECK_ADVICE[statusCode] ?? `it responds with ${statusCode}`
  } catch {
    return 'it does not respond'
  }
}

export function createS3Storage(access: S3Access, timeouts = TIMEOUTS): S3Storage {
  const { ask, close } = createAsk(access, timeouts)
  return {
    kind: 's3',
    origin: objectUrl(access, '').origin,
    presignPut: (upload) => presignPut(access, upload),
    ...reading(ask),
    async delete(key) {
      const answer = await ask({ method: 'DELETE', key })
      await requireStatus(answer, [200, 204, NOT_FOUND])
      await dump(answer)
    },
    check: () => check(ask),
    close,
  }
}

/** If-None-Match: * makes a store refuse to overwrite. Content-Length is signed, and every client sends it. */
async function presignPut(access: S3Access, { key, expires, contentType, size }: Upload) {
  const own = {
    'if-none-match': '*',
    ...(contentType !== undefined && { 'content-type': contentType }),
  }
  const headers = { ...own, ...(size !== undefined && { 'content-length': String(size) }) }
  const at = new Date((expires - URL_SECONDS) * 1000)
  const signable = { method: 'PUT', url: objectUrl(access, key), headers }
  const url = await presignedUrl(signable, access, { at, seconds: URL_SECONDS })
  return { url, headers: own }
}
