// The requests of each case, the same for both servers. They cycle through all organizations, keys and records.
import type { LoadRequest, OpenStreams } from '../harness/load.ts'
import type { BenchOrganization } from './fixture.ts'
import { emailOf, makePeople, PEOPLE } from './people.ts'

export type StreamName =
  | 'get'
  | 'list'
  | 'listUncounted'
  | 'listLarge'
  | 'listZstd'
  | 'listBrotli'
  | 'listGzip'
  | 'create'
  | 'bulk'
  | 'patch'
  | 'upsert'

export interface RequestParams {
  organizations: BenchOrganization[]
  /** The organization with many records; empty when no case uses it. */
  large: BenchOrganization[]
  /** Prefix of every new email address, so that no two users of this module make the same address. */
  mark: string
}

export const BULK_SIZE = 100
export const PAGE_SIZE = 50
/** Start of the body of an upsert. The limit recognizes upserts by it, because it does not parse bodies. */
export const UPSERT_BEGINS = '{"mode":"upsert"'

const TEMPLATES = 1000

interface Caller {
  headers: Record<string, string>
  path: string
  organization: BenchOrganization
}

/** One caller for each key. Neighbors in the list belong to different organizations. */
function callersOf(organizations: readonly BenchOrganization[]): Caller[] {
  const keysEach = organizations[0]?.keys.length ?? 0
  return Array.from({ length: keysEach }, (_, number) =>
    organizations.map((organization) => ({
      headers: { authorization: `Bearer ${organization.keys[number]}`, 'content-type': 'application/json' },
      path: `/api/v1/objects/${organization.people.id}/records`,
      organization,
    })),
  ).flat()
}

function at<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length]
  if (item === undefined) throw new Error('There is nothing to take turns with')
  return item
}

/** JSON texts of new people. Email and company are added to prepared texts, which is fast. */
function personTexts(mark: string) {
  const texts = makePeople(TEMPLATES).map((person) => JSON.stringify(person).slice(0, -1))
  let made = 0
  return ({ companyIds }: BenchOrganization) => {
    made++
    const email = `${mark}-${made}@example.com`
    return `{"data":${at(texts, made)},"email":"${email}","company":"${at(companyIds, made)}"}}`
  }
}

/** JSON texts of existing people, with the known email and a new job title each time. */
function knownTexts() {
  const people = makePeople(PEOPLE).map(({ name, phone }, index) =>
    JSON.stringify({ name, phone, email: emailOf(index) }).slice(0, -1),
  )
  return ({ companyIds }: BenchOrganization, index: number, turn: number) =>
    `{"data":${at(people, index)},"job_title":"Job ${turn}","company":"${companyIds[(index % PEOPLE) % companyIds.length]}"}}`
}

const times = <Item>(count: number, make: (place: number) => Item): Item[] =>
  Array.from({ length: count }, (_, place) => make(place))

/** @param turn number of earlier requests of the organization, so that no two requests write the same */
type Suffix = (organization: BenchOrganization, turn: number) => string

/** Cycles through all callers. */
function turnsOf(organizations: readonly BenchOrganization[]) {
  const callers = callersOf(organizations)
  let sent = 0
  return (method: string, suffix: Suffix, body?: Suffix) => (): LoadRequest => {
    const { headers, path, organization } = at(callers, sent)
    const turn = Math.floor(sent++ / organizations.length)
    const request = { method, path: `${path}${suffix(organization, turn)}`, headers }
    return body === undefined ? request : { ...request, body: body(organization, turn) }
  }
}

/** The same request, for a response in this content coding. */
const inCoding =
  (coding: string, next: () => LoadRequest): (() => LoadRequest) =>
  () => {
    const request = next()
    return { ...request, headers: { ...request.headers, 'accept-encoding': coding } }
  }

/** Runs in the load process. Its CPU time slows both servers equally. */
export const openStreams: OpenStreams<RequestParams, StreamName> = ({ organizations, large, mark }) => {
  const send = turnsOf(organizations)
  const person = personTexts(mark)
  const known = knownTexts()
  const one: Suffix = ({ personIds }, turn) => `/${at(personIds, turn * 7)}`
  const list = `?limit=${PAGE_SIZE}`
  return {
    get: send('GET', one),
    list: send('GET', () => list),
    listZstd: inCoding(
      'zstd',
      send('GET', () => list),
    ),
    listBrotli: inCoding(
      'br',
      send('GET', () => list),
    ),
    listGzip: inCoding(
      'gzip',
      send('GET', () => list),
    ),
    listUncounted: send('GET', () => `${list}&count=false`),
    listLarge: turnsOf(large)('GET', () => list),
    create: send('POST', () => '', person),
    bulk: send(
      'POST',
      () => '/bulk',
      (organization) => `{"records":[${times(BULK_SIZE, () => person(organization)).join(',')}]}`,
    ),
    patch: send('PATCH', one, (_, turn) => `{"data":{"job_title":"Title ${turn}"}}`),
    upsert: send(
      'POST',
      () => '/bulk',
      (organization, turn) => {
        const rows = times(BULK_SIZE, (place) => known(organization, turn * BULK_SIZE + place, turn))
        return `${UPSERT_BEGINS},"matchOn":"email","records":[${rows.join(',')}]}`
      },
    ),
  }
}
