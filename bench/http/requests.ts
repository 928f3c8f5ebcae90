// The requests of each case, the same for both servers: every organization, key and record in turn.
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
  /** The one with many records; none where no case asks it. */
  large: BenchOrganization[]
  /** Begins every new email address, so that no two users of this module make the same one. */
  mark: string
}

export const BULK_SIZE = 100
export const PAGE_SIZE = 50
/** By this the limit, which does not parse bodies, knows them. */
export const UPSERT_BEGINS = '{"mode":"upsert"'

const TEMPLATES = 1000

interface Caller {
  headers: Record<string, string>
  path: string
  organization: BenchOrganization
}

/** One per key, so ordered that neighbours are of different organizations. */
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

/** JSON texts of people, cut where the email and the company go: a new one costs two joins. */
function personTexts(mark: string) {
  const texts = makePeople(TEMPLATES).map((person) => JSON.stringify(person).slice(0, -1))
  let made = 0
  return ({ companyIds }: BenchOrganization) => {
    made++
    const email = `${mark}-${made}@example.com`
    return `{"data":${at(texts, made)},"email":"${email}","company":"${at(companyIds, made)}"}}`
  }
}

/** People that are there already, found by email, each time with another job title. */
function knownTexts() {
  const people = makePeople(PEOPLE).map(({ name, phone }, index) =>
    JSON.stringify({ name, phone, email: emailOf(index) }).slice(0, -1),
  )
  return ({ companyIds }: BenchOrganization, index: number, turn: number) =>
    `{"data":${at(people, index)},"job_title":"Job ${turn}","company":"${companyIds[(index % PEOPLE) % companyIds.length]}"}}`
}

const times = <Item>(count: number, make: (place: number) => Item): Item[] =>
  Array.from({ length: count }, (_, place) => make(place))

/** @param turn requests of the organization so far: no two of them write the same */
type Suffix = (organization: BenchOrganization, turn: number) => string

/** Every caller in turn. */
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

/** The same request, for a response in this coding. */
const inCoding =
  (coding: string, next: () => LoadRequest): (() => LoadRequest) =>
  () => {
    const request = next()
    return { ...request, headers: { ...request.headers, 'accept-encoding': coding } }
  }

/** Runs in the load process: what is done here takes from both servers alike. */
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
