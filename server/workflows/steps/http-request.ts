// The step that sends an HTTP request, at least once. Every try, also in a retried run, has the same Idempotency-Key.
import { STATUS_CODES } from 'node:http'
import { HTTP_TIMEOUT_MAX_MS, HTTP_TIMEOUT_MS } from '../../../contract/workflow-states.ts'
import { MalformedJson, parseJson } from '../../base/json.ts'
import type { EgressOutcome, EgressRequest, EgressResponse } from '../../http/egress/exchange.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { isLiteral } from '../check/template-check.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { StepFailure } from './failure.ts'
import { maskerOf, maskTexts, textsIn } from './mask.ts'
import { openSecrets } from './secrets.ts'
import type { NetworkStep, NetworkWork, StepWork } from './step.ts'

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

function check({ config: { url, headers }, path, report }: StepCheck): void {
  const wrong = () =>
    report.add(`${path}.url`, 'invalid_url', 'must be a URL that starts with https:// or http://')
  if (isLiteral(url)) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) wrong()
  } else if (typeof url === 'string' && !/^(?:\{\{|https?:\/\/)/.test(url)) wrong()
  if (!isPlainObject(headers)) return
  for (const name of Object.keys(headers))
    if (!HEADER_NAME.test(name))
      report.add(
        `${path}.headers.${name}`,
        'invalid_header',
        'must be the name of a header, such as Authorization',
      )
}

const RESPONSE_BYTES_MAX = 64 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Temporary errors: timeout, too early, too many requests, and server errors. */
const isPassing = (status: number) => [408, 425, 429].includes(status) || status >= 500

type Headers = Record<string, string>

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const RESERVED = new Set([
  ...['host', 'content-length', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['expect', 'accept-encoding', '__proto__'],
])

/** @throws StepFailure */
function ownHeaders(given: unknown): Headers {
  const headers: Headers = {}
  for (const [name, value] of Object.entries((given ?? {}) as Record<string, unknown>)) {
    const lower = name.toLowerCase()
    if (!NAME.test(name) || RESERVED.has(lower))
      throw new StepFailure(`headers: "${name.slice(0, 100)}" cannot be set on a request.`)
    const text = value === null || value === undefined ? '' : String(value).trim()
    if (!VALUE.test(text))
      throw new StepFailure(`headers.${name}: contains characters that are not allowed in a header.`)
    if (text !== '') headers[lower] = text
  }
  return headers
}

const bodyOf = (body: unknown): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body)

type Request = Omit<EgressRequest, 'signal'>

/** @throws StepFailure */
function requestOf({ path, run }: StepWork, config: Readonly<Record<string, unknown>>): Request {
  const { url, body, timeoutMs } = config
  const method = METHODS.find((one) => one === (config['method'] ?? 'POST'))
  if (!method) throw new StepFailure(`method: must be one of ${METHODS.join(', ')}.`)
  const text = method === 'GET' ? undefined : bodyOf(body)
  const isJson = text !== undefined && typeof body !== 'string'
  return {
    method,
    url: typeof url === 'string' ? url.trim() : '',
    headers: {
      accept: 'application/json, text/plain;q=0.9, */*;q=0.8',
      'user-agent': 'Rapport-Workflows/1',
      'idempotency-key': `${run.firstId}/${path}`,
      ...(isJson && { 'content-type': 'application/json' }),
      ...(text !== undefined && !isJson && { 'content-type': 'text/plain; charset=utf-8' }),
      ...ownHeaders(config['headers']),
      'accept-encoding': 'identity',
    },
    ...(text !== undefined && { body: text }),
    timeoutMs: Math.min(Number(timeoutMs ?? HTTP_TIMEOUT_MS), HTTP_TIMEOUT_MAX_MS),
    responseBytesMax: RESPONSE_BYTES_MAX,
  }
}

function parseBody({ headers }: EgressResponse, text: string): unknown {
  const type = String(headers['content-type'] ?? '')
  if (!/[/+]json\b/i.test(type)) return text
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof MalformedJson) return text
    throw error
  }
}

const QUOTED_MAX = 300

/** The error text of the response. */
const quote = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' ? '' : `: ${line.slice(0, QUOTED_MAX).toWellFormed()}`
}

/** @throws StepFailure unless the status is 2xx and the response is complete */
function answerOf(response: EgressResponse, masked: (text: string) => string) {
  const { status, body, isTruncated } = response
  const text = masked(body.toString('utf8'))
  const answered = `The response was ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  if (status >= 300 && status < 400) {
    const to = masked(String(response.headers['location'] ?? '')).slice(0, QUOTED_MAX)
    throw new StepFailure(
      `${answered}${to && `, which redirects to ${to}`}: redirects are not followed, so enter the final URL.`,
    )
  }
  if (status < 200 || status >= 300)
    throw new StepFailure(answered + quote(text), { isTransient: isPassing(status) })
  if (isTruncated)
    throw new StepFailure(`The response has more than ${RESPONSE_BYTES_MAX / 1024} KiB: request less.`)
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(masked) : masked(value),
    ]),
  )
  return { status, headers, body: maskTexts(parseBody(response, text), masked) }
}

const LASTING = ['blocked_address', 'tls', 'invalid_response']

/** @throws StepFailure */
function outputOf({ failure, message, response }: EgressOutcome, masked: (text: string) => string) {
  if (failure !== null)
    throw new StepFailure(masked(message ?? failure), { isTransient: !LASTING.includes(failure) })
  if (!response) throw new StepFailure('There was no response.', { isTransient: true })
  return answerOf(response, masked)
}

async function perform(work: NetworkWork) {
  const { ctx, caller, config, real, input, signal } = work
  if (work.isDry) {
    const { method, url, headers, body } = requestOf(work, input)
    return { wouldSend: { method, url, headers, body: body ?? null } }
  }
  const values = await openSecrets(ctx, caller.org, config)
  const results: unknown[] = []
  const filled = real({ values, onResult: (result) => results.push(result) })
  const masked = maskerOf([...Object.values(values), ...textsIn(results)])
  const request = requestOf(work, filled)
  return outputOf(await ctx.egress.send({ ...request, ...(signal && { signal }) }), masked)
}

export const httpRequest: NetworkStep = {
  kind: 'network',
  check,
  perform,
  example: { url: '{{secrets.ERP_TOKEN}}/x' },
}
