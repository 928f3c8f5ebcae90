// Converts the fields of an endpoint in a request to stored fields, or reports all problems.
import type { Problem } from '../../../contract/errors.ts'
import { ENDPOINT_URL_MAX } from '../../../contract/webhook-states.ts'
import type { EndpointPatch } from '../../../contract/webhooks.ts'
import { invalid } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { Egress } from '../../http/egress.ts'
import { requireStorable } from '../../http/storable.ts'
import type { WebhookContext } from '../context.ts'
import { type OwnHeader, sealHeaders } from '../target.ts'
import { type EndpointFields, selectObjs } from './store.ts'

/** Collects problems. */
type Note = (...problems: Problem[]) => void

/** The normalized URL, without a fragment, because fragments are not sent. */
async function readUrl(egress: Egress, text: string, note: Note): Promise<string> {
  const refuse = (code: string, message: string) => {
    note({ path: 'url', code, message })
    return text
  }
  if (!URL.canParse(text)) return refuse('invalid_url', 'must be a URL such as https://example.com/hooks')
  const url = new URL(text)
  url.hash = ''
  if (url.href.length > ENDPOINT_URL_MAX)
    return refuse('maxLength', `must have at most ${ENDPOINT_URL_MAX} characters when encoded: shorten it`)
  const refusal = await egress.check(url.href)
  return refusal === undefined ? url.href : refuse('refused_url', refusal)
}

async function readObjects(db: Db, org: number, ids: readonly string[], note: Note): Promise<number[]> {
  const known = new Map((await selectObjs(db, org, ids)).map(({ id, obj }) => [id, obj]))
  const objs = ids.flatMap((id, index) => {
    const obj = known.get(id.toLowerCase())
    if (obj !== undefined) return [obj]
    const message = 'must be an object of this organization'
    note({ path: `objectIds[${index}]`, code: 'unknown_object', message })
    return []
  })
  return [...new Set(objs)]
}

/**
 * The given fields as they are stored. Resolves host names, so it must not run in a transaction.
 * @throws 400 validation_error naming all problems
 */
export async function readFields(
  { db, secrets, egress }: Pick<WebhookContext, 'db' | 'secrets' | 'egress'>,
  endpoint: { org: number; id: string },
  { url, objectIds, headers: sent, description, ...plain }: Omit<EndpointPatch, 'isEnabled'>,
): Promise<Partial<EndpointFields>> {
  requireStorable({ url, headers: sent, description, ...plain })
  const headers = sent === null ? [] : sent
  const problems = headers ? [...headerProblems(headers)] : []
  const note: Note = (...more) => void problems.push(...more)
  const fields = {
    ...plain,
    ...(description !== undefined && { description: description ?? '' }),
    ...(url !== undefined && { url: await readUrl(egress, url, note) }),
    ...(objectIds !== undefined && {
      objs: objectIds && (await readObjects(db, endpoint.org, objectIds, note)),
    }),
  }
  if (problems.length > 0) throw invalid('validation_error', problems)
  return { ...fields, ...(headers && { headers: sealHeaders(secrets, endpoint, headers) }) }
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e]*$/
const EDGE = /^[\t ]|[\t ]$/

const RESERVED = new Set([
  'host',
  'content-length',
  'content-type',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'user-agent',
  'accept-encoding',
  // JavaScript objects do not store this name as a property.
  '__proto__',
])
const RESERVED_START = /^(?:webhook|svix|proxy)-/

function nameProblem(name: string): [code: string, message: string] | undefined {
  if (!TOKEN.test(name)) return ['invalid_name', "must consist of letters, digits and !#$%&'*+-.^_`|~"]
  const lower = name.toLowerCase()
  if (RESERVED.has(lower) || RESERVED_START.test(lower))
    return ['reserved_name', 'is set by Rapport: choose another name']
  return undefined
}

function valueProblem(value: string): [code: string, message: string] | undefined {
  if (!VALUE.test(value)) return ['invalid_value', 'must consist of printable ASCII characters and tabs']
  if (EDGE.test(value)) return ['invalid_value', 'must not start or end with a space: remove it']
  return undefined
}

/**
 * All problems of the headers, with their paths (`headers[0].name`). Headers that the delivery or the connection sets
 * are reserved.
 */
export function* headerProblems(headers: readonly OwnHeader[]): Generator<Problem> {
  const first = new Map<string, number>()
  for (const [index, { name, value }] of headers.entries()) {
    const path = `headers[${index}]`
    const earlier = first.get(name.toLowerCase())
    const wrongName: [string, string] | undefined =
      earlier === undefined
        ? nameProblem(name)
        : ['duplicate', `has the same name as headers[${earlier}]: leave one out`]
    if (wrongName) yield { path: `${path}.name`, code: wrongName[0], message: wrongName[1] }
    if (earlier === undefined) first.set(name.toLowerCase(), index)
    const wrongValue = valueProblem(value)
    if (wrongValue) yield { path: `${path}.value`, code: wrongValue[0], message: wrongValue[1] }
  }
}
