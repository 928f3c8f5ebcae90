// Checks the answers of both servers before their speed is measured.
import { isDeepStrictEqual } from 'node:util'
import type { LoadRequest, Stream } from '../harness/load.ts'
import { LARGE } from './fixture.ts'
import { PEOPLE } from './people.ts'
import { BULK_SIZE, PAGE_SIZE, type StreamName } from './requests.ts'

const SAMPLES = 20

interface Answers {
  service: Record<string, unknown>
  limit: Record<string, unknown>
  request: LoadRequest
}

async function send(url: string, { path, ...request }: LoadRequest): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${request.method} ${path} was answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

const sentData = ({ body = '' }: LoadRequest) => JSON.parse(body).data

const isSubset = (part: object, whole: unknown) => isDeepStrictEqual({ ...Object(whole), ...part }, whole)

const isPage = ({ records }: Record<string, unknown>) =>
  Array.isArray(records) && records.length === PAGE_SIZE

const hasSentData = ({ service, limit, request }: Answers) =>
  isDeepStrictEqual(service['data'], limit['data']) && isSubset(sentData(request), service['data'])

const isSamePage = ({ service, limit }: Answers) =>
  isPage(limit) && isDeepStrictEqual(service['records'], limit['records'])

const hasTotal = ({ service }: Answers, total: number) =>
  isDeepStrictEqual(Object(service['pagination']).total, total)

const isListed = (answers: Answers) => isSamePage(answers) && hasTotal(answers, PEOPLE)

const CHECKS: Record<StreamName, (answers: Answers) => boolean> = {
  get: ({ service, limit, request }) =>
    isDeepStrictEqual(service, limit) && request.path.endsWith(String(service['id'])),
  list: isListed,
  listZstd: isListed,
  listBrotli: isListed,
  listGzip: isListed,
  listUncounted: isSamePage,
  listLarge: (answers) => isSamePage(answers) && hasTotal(answers, LARGE),
  create: hasSentData,
  bulk: ({ service, limit }) => service['created'] === BULK_SIZE && limit['created'] === BULK_SIZE,
  patch: (answers) => hasSentData(answers) && answers.service['version'] === answers.limit['version'],
  upsert: ({ service, limit }) => service['updated'] === BULK_SIZE && limit['written'] === BULK_SIZE,
}

/** @throws Error when an answer is wrong */
export async function verify(
  urls: { service: string; limit: string },
  name: StreamName,
  next: Stream,
): Promise<void> {
  for (let sample = 0; sample < SAMPLES; sample++) {
    const request = next()
    const service = await send(urls.service, request)
    const limit = await send(urls.limit, request)
    if (CHECKS[name]({ service, limit, request })) continue
    const [ours, theirs] = [service, limit].map((answer) => JSON.stringify(answer).slice(0, 500))
    throw new Error(`${name} ${request.path} is answered wrongly: ${ours} and ${theirs}`)
  }
}
