// Which headers of its own an endpoint may have: none that the delivery or the connection needs itself.
import type { Problem } from '../../../contract/errors.ts'
import type { OwnHeader } from '../target.ts'

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
  // A name that objects of JavaScript do not keep.
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

/** Everything wrong with the headers, by their place: `headers[0].name`. */
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
