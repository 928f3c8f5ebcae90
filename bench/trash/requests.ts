// The same reads for two organizations. They cycle through records and companies.
import type { LoadRequest, OpenStreams, Stream } from '../harness/load.ts'

export interface Readable {
  key: string
  personIds: string[]
  companyIds: string[]
}

export interface RequestParams {
  without: Readable
  with: Readable
}

export const READS = ['one record', 'first page', 'filtered list'] as const
export type Read = (typeof READS)[number]
export type Side = keyof RequestParams
export type StreamName = `${Read}, ${Side}`

const PEOPLE = '/api/v1/objects/people/records'

function streamsOf({ key, personIds, companyIds }: Readable): Record<Read, Stream> {
  const headers = { authorization: `Bearer ${key}` }
  let turn = 0
  const get = (path: string): LoadRequest => ({ method: 'GET', path, headers })
  return {
    'one record': () => get(`${PEOPLE}/${personIds[turn++ % personIds.length]}`),
    'first page': () => get(`${PEOPLE}?limit=50`),
    'filtered list': () =>
      get(`${PEOPLE}?limit=50&filter[company][equals]=${companyIds[turn++ % companyIds.length]}`),
  }
}

export const openStreams: OpenStreams<RequestParams, StreamName> = (params) =>
  Object.fromEntries(
    (['without', 'with'] as const).flatMap((side) =>
      Object.entries(streamsOf(params[side])).map(([read, stream]) => [`${read}, ${side}`, stream]),
    ),
  ) as Record<StreamName, Stream>
