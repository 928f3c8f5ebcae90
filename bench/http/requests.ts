// The requests of each case, the same for both servers: every organization, key and record in turn.
import type { LoadRequest, OpenStreams } from '../harness/load.ts'
import type { BenchOrganization } from './fixture.ts'
import { makePeople } from './people.ts'

export type StreamName = 'get' | 'list' | 'listUncounted' | 'create' | 'bulk'

export interface RequestParams {
  organizations: BenchOrganization[]
  /** Begins every new email address, so that no two users of this module make the same one. */
  mark: string
}

export const BULK_SIZE = 100
export const PAGE_SIZE = 50

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

/** Runs in the load process: what is done here takes from both servers alike. */
export const openStreams: OpenStreams<RequestParams, StreamName> = ({ organizations, mark }) => {
  const callers = callersOf(organizations)
  const person = personTexts(mark)
  let turn = 0
  const read = (suffix: (organization: BenchOrganization, lap: number) => string) => (): LoadRequest => {
    const { headers, path, organization } = at(callers, turn)
    const lap = Math.floor(turn++ / callers.length)
    return { method: 'GET', path: `${path}${suffix(organization, lap)}`, headers }
  }
  const write = (suffix: string, body: (organization: BenchOrganization) => string) => (): LoadRequest => {
    const { headers, path, organization } = at(callers, turn++)
    return { method: 'POST', path: `${path}${suffix}`, headers, body: body(organization) }
  }
  const batch = (organization: BenchOrganization) =>
    `{"records":[${Array.from({ length: BULK_SIZE }, () => person(organization)).join(',')}]}`
  return {
    get: read(({ personIds }, lap) => `/${at(personIds, lap * 7)}`),
    list: read(() => `?limit=${PAGE_SIZE}`),
    listUncounted: read(() => `?limit=${PAGE_SIZE}&count=false`),
    create: write('', person),
    bulk: write('/bulk', batch),
  }
}
