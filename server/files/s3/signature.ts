// AWS Signature Version 4 for S3, as its API reference describes it, on node:crypto: a hundred lines for three kinds of
// requests, where the libraries of AWS bring eleven packages and checksums that spoil presigned uploads.
import { createHmac, hash } from 'node:crypto'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

export interface Signable {
  method: string
  url: URL
  /** Those to be signed, names in lower case, without host. */
  headers: Readonly<Record<string, string>>
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** Of a request without a body. */
const EMPTY_HASH = hash('sha256', '')
/** Presigned: the client that sends the body later computes no hash. */
const UNSIGNED = 'UNSIGNED-PAYLOAD'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** encodeURIComponent leaves five signs that AWS wants encoded. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1)

const headersOf = ({ url, headers }: Signable): [string, string][] =>
  Object.entries({ ...headers, host: url.host }).sort(byName)

const queryOf = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** Names of the signed headers. */
const namesOf = (signable: Signable): string =>
  headersOf(signable)
    .map(([name]) => name)
    .join(';')

function canonicalRequest(signable: Signable, payloadHash: string): string {
  const { method, url } = signable
  const path = decodeURIComponent(url.pathname).split('/').map(encode).join('/')
  const lines = headersOf(signable).map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`)
  return [method, path, queryOf(url), lines.join(''), namesOf(signable), payloadHash].join('\n')
}

/** `20261120T100000Z` */
const stampOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d{3}/g, '')
const scopeOf = ({ region }: Credentials, stamp: string): string =>
  `${stamp.slice(0, 8)}/${region}/s3/aws4_request`

function signatureOf(canonical: string, credentials: Credentials, stamp: string): string {
  const scope = scopeOf(credentials, stamp)
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`)
  return hmac(key, [ALGORITHM, stamp, scope, hash('sha256', canonical)].join('\n')).toString('hex')
}

/** Every header that a request without a body must carry, its own and those of its signature. */
export function signedHeaders(
  signable: Signable,
  credentials: Credentials,
  at: Date,
): Record<string, string> {
  const stamp = stampOf(at)
  const headers = { ...signable.headers, 'x-amz-content-sha256': EMPTY_HASH, 'x-amz-date': stamp }
  const complete = { ...signable, headers }
  const signature = signatureOf(canonicalRequest(complete, EMPTY_HASH), credentials, stamp)
  const credential = `${credentials.accessKeyId}/${scopeOf(credentials, stamp)}`
  const authorization = `${ALGORITHM} Credential=${credential},SignedHeaders=${namesOf(complete)},Signature=${signature}`
  return { ...headers, authorization }
}

/** An address that may be asked for `seconds` from `at`, by any client that sends the signed headers with it. */
export function presignedUrl(
  signable: Signable,
  credentials: Credentials,
  { at, seconds }: { at: Date; seconds: number },
): string {
  const stamp = stampOf(at)
  const url = new URL(signable.url)
  const parameters = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${credentials.accessKeyId}/${scopeOf(credentials, stamp)}`,
    'X-Amz-Date': stamp,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': namesOf(signable),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const signature = signatureOf(canonicalRequest({ ...signable, url }, UNSIGNED), credentials, stamp)
  url.searchParams.set('X-Amz-Signature', signature)
  return url.href
}
