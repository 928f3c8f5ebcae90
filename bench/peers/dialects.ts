// The same requests for the API of each system, and how its answers are read.
import type { Person } from '../records/people.ts'
import { flatPerson } from './people.ts'
import type { PeerName } from './versions.ts'

export type SystemName = 'rapport' | PeerName

export const PAGE_SIZE = 50

export interface Address {
  system: SystemName
  url: string
  headers: Record<string, string>
  /** Path of the records. */
  path: string
  /** Path of lists without a total, where it differs from `path`. */
  listPath?: string
}

type Answer = Record<string, unknown>

interface Dialect {
  /** Path of a page of the people of an industry. */
  list(address: Address, industry: string): string
  /** The same with the total. */
  counted(address: Address, industry: string): string
  /** JSON value of one record in a request that creates it. */
  one(person: Person): object
  /** undefined: the API has no request that creates several records. */
  bulk?: { suffix: string; body(records: readonly string[]): string }
  record(answer: Answer): Answer
  records(answer: Answer): Answer[]
  total(answer: Answer): unknown
}

const inside = (answer: unknown, ...keys: string[]): unknown =>
  keys.reduce((value, key) => (value as Answer | undefined)?.[key], answer)

const listIn = (answer: unknown, ...keys: string[]) => inside(answer, ...keys) as Answer[]

const array = (records: readonly string[]) => `[${records.join(',')}]`

const rapport: Dialect = {
  list: (address, industry) => `${rapport.counted(address, industry)}&count=false`,
  counted: ({ path }, industry) =>
    `${path}?limit=${PAGE_SIZE}&filter[industry][equals]=${encodeURIComponent(industry)}`,
  one: (data) => ({ data }),
  bulk: { suffix: '/bulk', body: (records) => `{"records":${array(records)}}` },
  record: (answer) => inside(answer, 'data') as Answer,
  records: (answer) => listIn(answer, 'records').map(rapport.record),
  total: (answer) => inside(answer, 'pagination', 'total'),
}

const directus: Dialect = {
  list: ({ path }, industry) =>
    `${path}?limit=${PAGE_SIZE}&filter[industry][_eq]=${encodeURIComponent(industry)}`,
  counted: (address, industry) => `${directus.list(address, industry)}&meta=filter_count`,
  one: flatPerson,
  bulk: { suffix: '', body: array },
  record: (answer) => inside(answer, 'data') as Answer,
  records: (answer) => listIn(answer, 'data'),
  total: (answer) => inside(answer, 'meta', 'filter_count'),
}

const nocodbWhere = (industry: string) => `where=${encodeURIComponent(`(industry,eq,${industry})`)}`

const nocodb: Dialect = {
  // The list of API version 3 has no total. The list of version 2 always has one.
  list: ({ listPath }, industry) => `${listPath}?pageSize=${PAGE_SIZE}&${nocodbWhere(industry)}`,
  counted: ({ path }, industry) => `${path}?limit=${PAGE_SIZE}&${nocodbWhere(industry)}`,
  one: flatPerson,
  bulk: { suffix: '', body: array },
  record: (answer) => (inside(answer, 'fields') ?? answer) as Answer,
  records: (answer) => (listIn(answer, 'records') ?? listIn(answer, 'list')).map(nocodb.record),
  total: (answer) => inside(answer, 'pageInfo', 'totalRows'),
}

const strapi: Dialect = {
  list: (address, industry) => `${strapi.counted(address, industry)}&pagination[withCount]=false`,
  counted: ({ path }, industry) =>
    `${path}?pagination[pageSize]=${PAGE_SIZE}&filters[industry][$eq]=${encodeURIComponent(industry)}`,
  one: (person) => ({ data: flatPerson(person) }),
  record: (answer) => inside(answer, 'data') as Answer,
  records: (answer) => listIn(answer, 'data'),
  total: (answer) => inside(answer, 'meta', 'pagination', 'total'),
}

export const DIALECTS: Readonly<Record<SystemName, Dialect>> = { rapport, directus, nocodb, strapi }
