// AWS Signature Version 4 for S3. The libraries of AWS are not used: they need eleven packages, and add checksums that
// break presigned uploads.
import { hash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

export interface Signable {
  method: string
  url: URL
  /** The headers to sign, with names in lower case and without host. */
  headers: Record<string, string>
}

const EMPTY_HASH = hash('sha256', '')

const signer = (
  { method, url, headers }: Signable,
  { accessKeyId, secretAccessKey, region }: Credentials,
  { at, signQuery }: { at: Date; signQuery: boolean },
) =>
  new AwsV4Signer({
    ...{ method, url: url.href, headers, accessKeyId, secretAccessKey, region, signQuery },
    ...{ service: 's3', allHeaders: true, datetime: at.toISOString().replace(/[-:]|\.\d{3}/g, '') },
  })

/** All headers that the request must have, including those of the signature. */
export async function signedHeaders(
  signable: Signable,
  credentials: Credentials,
  { at, body }: { at: Date; body?: Buffer | undefined },
): Promise<Record<string, string>> {
  const payload = body === undefined ? EMPTY_HASH : hash('sha256', body)
  const headers = { ...signable.headers, 'x-amz-content-sha256': payload }
  const signed = await signer({ ...signable, headers }, credentials, { at, signQuery: false }).sign()
  return Object.fromEntries(signed.headers)
}

/** An address that any client can use with the signed headers, for `seconds` after `at`. */
export async function presignedUrl(
  signable: Signable,
  credentials: Credentials,
  { at, seconds }: { at: Date; seconds: number },
): Promise<string> {
  const url = new URL(signable.url)
  url.searchParams.set('X-Amz-Expires', String(seconds))
  const signed = await signer({ ...signable, url }, credentials, { at, signQuery: true }).sign()
  return signed.url.href
}
