// The requests of each case for the API of each system. They cycle through records and industries.
import type { LoadRequest, OpenStreams, Stream } from '../harness/load.ts'
import { type Person, personAt } from '../records/people.ts'
import { type Address, DIALECTS } from './dialects.ts'
import { FILTERED } from './people.ts'

export const CASE_STREAMS = ['get', 'list', 'counted', 'create', 'bulk'] as const
export type CaseStream = (typeof CASE_STREAMS)[number]

export const BULK_SIZE = 100

export interface System {
  address: Address
  /** Ids of a sample of records of all ages. */
  ids: readonly string[]
}

export interface RequestParams {
  systems: readonly System[]
  /** Prefix of every new email address. */
  mark: string
}

const TEMPLATES = 1000
const EMAIL = 'EMAIL@example.com'

function at<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length]
  if (item === undefined) throw new Error('There is nothing to take turns with')
  return item
}

/** Texts of new people, each with a different email address. */
function newTexts(textOf: (person: Person) => object, mark: string): () => string {
  const templates = Array.from({ length: TEMPLATES }, (_, n) =>
    JSON.stringify(textOf({ ...personAt(n), email: EMAIL })),
  )
  let made = 0
  return () => at(templates, made++).replace(EMAIL, `${mark}-${made}@example.com`)
}

function streamsOf({ address, ids }: System, mark: string): Partial<Record<CaseStream, Stream>> {
  const { headers, path } = address
  const { list, counted, one, bulk } = DIALECTS[address.system]
  const text = newTexts(one, mark)
  let turn = 0
  const get = (pathOf: (turn: number) => string) => (): LoadRequest => ({
    ...{ method: 'GET', headers, path: pathOf(turn++) },
  })
  const post = (suffix: string, body: () => string) => (): LoadRequest => ({
    ...{ method: 'POST', headers, path: `${path}${suffix}`, body: body() },
  })
  return {
    get: get((nth) => `${path}/${at(ids, nth)}`),
    list: get((nth) => list(address, at(FILTERED, nth))),
    counted: get((nth) => counted(address, at(FILTERED, nth))),
    create: post('', text),
    ...(bulk && { bulk: post(bulk.suffix, () => bulk.body(Array.from({ length: BULK_SIZE }, text))) }),
  }
}

export const streamName = ({ address }: System, stream: CaseStream): string => `${address.system} ${stream}`

/** Runs in the load process. */
export const openStreams: OpenStreams<RequestParams, string> = ({ systems, mark }) => {
  const streams: Record<string, Stream> = {}
  for (const system of systems)
    for (const [name, stream] of Object.entries(streamsOf(system, mark)))
      streams[streamName(system, name as CaseStream)] = stream
  return streams
}
