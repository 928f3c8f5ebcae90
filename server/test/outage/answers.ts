// Sends the requests of an outage, and finds the answers that are faults.
import type { LightMyRequestResponse as Response } from 'fastify'
import type { TestService } from '../build-app.ts'
import type { Prepared } from './requests.ts'

export type Answered = [Prepared, Response]

/** Many requests are sent at the same time, and each must end soon. */
export const OUTAGE_SETTINGS = {
  ...{ requestDeadlineSeconds: 2, searchSecondsMax: 2, connectionWaitSeconds: 1 },
  ...{ connectionWaitingMax: 10_000, exportsAtOnce: 100, exportsPerOrganization: 100 },
}

const MANY = 150
const FEW = 10

/** @returns the response, without waiting for the end of a stream */
async function ask({ inject }: TestService, { options }: Prepared): Promise<Response> {
  const response = await inject({ ...options, payloadAsStream: true })
  response.stream().destroy()
  return response
}

export async function askAll(
  service: TestService,
  chosen: readonly Prepared[],
  concurrency = MANY,
): Promise<Answered[]> {
  const answered: Answered[] = []
  for (let at = 0; at < chosen.length; at += concurrency) {
    const group = chosen.slice(at, at + concurrency)
    const responses = await Promise.all(group.map((one) => ask(service, one)))
    answered.push(...group.map((one, nr): Answered => [one, responses[nr] as Response]))
  }
  return answered
}

/** Answers that are faults in any state of the database. */
export const faultsOf = (answered: readonly Answered[]) =>
  answered.flatMap(([{ name }, { statusCode, headers }]) => {
    if (statusCode < 500) return []
    if (statusCode !== 503) return [`${statusCode} ${name}`]
    return headers['retry-after'] === undefined ? [`no Retry-After ${name}`] : []
  })

/** Routes that may be answered from data that was read shortly before: the key, and the readiness of the service. */
const KNOWN = [
  ...['webhooks/catalogue', 'reports/ready', 'workflow-templates'].map((path) => `GET /api/v1/${path}`),
  'GET /readyz',
]

/** Answers other than 503 from routes that need the database, and 503 from routes that do not. */
export const surprisesOf = (answered: readonly Answered[]) =>
  answered
    .filter(([{ name }]) => !KNOWN.includes(name))
    .filter(([{ isFree }, { statusCode }]) => (statusCode === 503) === isFree)
    .map(([{ name }, { statusCode }]) => `${statusCode} ${name}`)

export async function readinessOf(service: TestService, requests: readonly Prepared[]): Promise<number[]> {
  const answered = await askAll(
    service,
    requests.filter(({ options }) => options.url === '/readyz'),
  )
  return answered.map(([, { statusCode }]) => statusCode)
}

const isRead = ({ options: { method = 'GET' } }: Prepared) => method === 'GET'

/** Refused reads, except of routes that create a link. Sends a few at a time, so that none waits for others. */
export async function refusedReads(service: TestService, requests: readonly Prepared[]): Promise<string[]> {
  const answered = await askAll(service, requests.filter(isRead), FEW)
  const refused = answered.filter(([, { statusCode }]) => statusCode === 503).map(([{ name }]) => name)
  return refused.filter((name) => !/GET \/(?:api\/v1|dashboard\/.*)\/webhooks$/.test(name))
}
