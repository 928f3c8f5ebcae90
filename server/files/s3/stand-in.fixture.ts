// Simulates the parts of S3 that the service uses. It computes signatures from the raw request by the description of
// AWS, without code of the service. Tests can make it misbehave.
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Access } from '../../config/config.ts'
import { afterFile } from '../../test/after-file.ts'

interface Stored {
  body: Buffer
  contentType: string
  etag: string
}

/** `cut` ends a response in the middle of its body; `stall` does not respond. */
type Mood = 'well' | 'fail' | 'stall' | 'cut' | 'redirect'

export interface StandIn {
  access: S3Access
  objects: Map<string, Stored>
  /** `METHOD key` of every accepted request. */
  asked: string[]
  mood: Mood
  /** The target of redirects. */
  elsewhere: string
  /** How far its clock is ahead of the real time. */
  aheadMs: number
  /** The number of next requests that fail. */
  failures: number
  /** Names in one page of a list. */
  pageSize: number
}

export interface RawRequest {
  method: string
  /** Path and query as sent. */
  target: string
  headers: Record<string, string>
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest()

interface Claim {
  credential: string
  signedHeaders: string
  signature: string
  date: string
  payload: string
}

const presignedParameters = (query: string) => new URLSearchParams(query)

function claimOf({ target, headers }: RawRequest): Claim | undefined {
  const query = presignedParameters(target.split('?')[1] ?? '')
  const fromQuery = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  if (query.has('X-Amz-Signature'))
    return {
      credential: fromQuery('Credential'),
      signedHeaders: fromQuery('SignedHeaders'),
      signature: fromQuery('Signature'),
      date: fromQuery('Date'),
      payload: 'UNSIGNED-PAYLOAD',
    }
  const found = /^AWS4-HMAC-SHA256 Credential=(\S+?), ?SignedHeaders=(\S+?), ?Signature=(\w+)$/.exec(
    headers['authorization'] ?? '',
  )
  if (!found) return undefined
  const [, credential = '', signedHeaders = '', signature = ''] = found
  const payload = headers['x-amz-content-sha256'] ?? ''
  return { credential, signedHeaders, signature, date: headers['x-amz-date'] ?? '', payload }
}

/** The signature that the request should carry. */
export function expectedSignature(request: RawRequest, secret: string): string {
  const claim = claimOf(request)
  if (!claim) return ''
  const [path = '', query = ''] = request.target.split('?')
  const parameters = query
    .split('&')
    .filter((one) => one !== '' && !one.startsWith('X-Amz-Signature='))
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .sort()
  const names = claim.signedHeaders.split(';')
  const canonical = [
    request.method,
    path,
    parameters.join('&'),
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim()}`),
    '',
    claim.signedHeaders,
    claim.payload,
  ].join('\n')
  const [, day = '', region = '', service = '', end = ''] = claim.credential.split('/')
  const toSign = `AWS4-HMAC-SHA256\n${claim.date}\n${day}/${region}/${service}/${end}\n${sha256(canonical)}`
  const dayKey = hmac(`AWS4${secret}`, day)
  return createHmac('sha256', hmac(hmac(hmac(dayKey, region), service), end))
    .update(toSign)
    .digest('hex')
}

const timeOf = (stamp: string) =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

function isInTime({ target }: RawRequest, { date }: Claim, now: number): boolean {
  const seconds = presignedParameters(target.split('?')[1] ?? '').get('X-Amz-Expires')
  const age = now - timeOf(date)
  return seconds === null ? Math.abs(age) < 15 * 60_000 : age < Number(seconds) * 1000
}

/** The status of a refusal; undefined if the request is accepted. */
function refusalOf(request: RawRequest, { access, aheadMs }: StandIn): number | undefined {
  const claim = claimOf(request)
  const [keyId, , region] = claim?.credential.split('/') ?? []
  const isOurs = keyId === access.accessKeyId && region === access.region
  const isSigned = claim?.signature === expectedSignature(request, access.secretAccessKey)
  return claim && isOurs && isSigned && isInTime(request, claim, Date.now() + aheadMs) ? undefined : 403
}

const isGood = (etag: string, condition: string | undefined) => condition === undefined || condition === etag

function part(body: Buffer, range: string | undefined): [number, Buffer, Record<string, string>] {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (first === undefined) return [200, body, {}]
  const slice = body.subarray(Number(first), Number(last) + 1)
  return [206, slice, { 'content-range': `bytes ${first}-${last}/${body.length}` }]
}

function read(
  found: Stored | undefined,
  { method, headers }: RawRequest,
  response: ServerResponse,
  mood: Mood,
) {
  if (!found) return response.writeHead(404).end(method === 'GET' ? '<Error/>' : '')
  if (!isGood(found.etag, headers['if-match'])) return response.writeHead(412).end()
  const [status, body, extra] = part(found.body, headers['range'])
  const length = { 'content-length': body.length, 'content-type': found.contentType, etag: found.etag }
  response.writeHead(status, { ...length, ...extra })
  if (method === 'HEAD') return response.end()
  if (mood !== 'cut') return response.end(body)
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}

/** ListObjectsV2. The continuation token is the last name of the previous page. */
function list({ objects, pageSize }: StandIn, query: URLSearchParams, response: ServerResponse) {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? '']
  const folderOf = (key: string) => {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    return end < 0 ? key : key.slice(0, end + 1)
  }
  const found = [...objects.keys()].filter((key) => key.startsWith(prefix)).map(folderOf)
  const names = [...new Set(found)].sort().filter((name) => name > (query.get('continuation-token') ?? ''))
  const page = names.slice(0, pageSize)
  const lines = page.map((name) =>
    delimiter !== '' && name.endsWith(delimiter)
      ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key></Contents>`,
  )
  const next =
    names.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  response.writeHead(200).end(`<ListBucketResult>${lines.join('')}${next}</ListBucketResult>`)
}

const isUnsigned = (hash: unknown) => hash === undefined || hash === 'UNSIGNED-PAYLOAD'

async function write(standIn: StandIn, key: string, request: IncomingMessage, response: ServerResponse) {
  const body = Buffer.concat(await request.toArray())
  const claimed = request.headers['x-amz-content-sha256']
  if (!isUnsigned(claimed) && claimed !== sha256(body)) return response.writeHead(400).end()
  if (request.headers['if-none-match'] === '*' && standIn.objects.has(key))
    return response.writeHead(412).end()
  const etag = `"${createHash('md5').update(body).digest('hex')}"`
  const contentType = request.headers['content-type'] ?? 'binary/octet-stream'
  standIn.objects.set(key, { body, contentType, etag })
  response.writeHead(200, { etag }).end()
}

const rawOf = ({ method = '', url = '', headers }: IncomingMessage): RawRequest => ({
  method,
  target: url,
  headers: headers as Record<string, string>,
})

async function answer(
  standIn: StandIn,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<unknown> {
  const raw = rawOf(request)
  const { mood, objects, access, aheadMs } = standIn
  response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString())
  if (mood === 'stall') return
  if (standIn.failures > 0) {
    standIn.failures--
    return response.writeHead(503).end()
  }
  if (mood === 'fail') return response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
  if (mood === 'redirect') return response.writeHead(307, { location: standIn.elsewhere }).end()
  const refusal = refusalOf(raw, standIn)
  if (refusal) return response.writeHead(refusal).end()
  const [, bucket, key] = /^\/([^/?]+)\/?([^?]*)/.exec(raw.target) ?? []
  if (bucket !== access.bucket) return response.writeHead(404).end()
  standIn.asked.push(`${raw.method} ${key}`)
  const query = new URLSearchParams(raw.target.split('?')[1] ?? '')
  if (!key && query.has('list-type')) return list(standIn, query, response)
  if (!key) return response.writeHead(200).end()
  if (raw.method === 'PUT') return write(standIn, key, request, response)
  if (raw.method !== 'DELETE') return read(objects.get(key), raw, response, mood)
  objects.delete(key)
  return response.writeHead(204).end()
}

export async function startStandIn(): Promise<StandIn> {
  const server = createServer((request, response) => void answer(standIn, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const standIn: StandIn = {
    access: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'eu-test-1',
      bucket: 'files-of-tests',
      accessKeyId: 'AKIDTESTS',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/hush',
      forcePathStyle: true,
    },
    objects: new Map(),
    asked: [],
    mood: 'well',
    elsewhere: '',
    aheadMs: 0,
    failures: 0,
    pageSize: 1000,
  }
  afterFile(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return standIn
}
