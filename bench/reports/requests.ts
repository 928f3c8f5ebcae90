// Requests while reports run. They read many records in turn, because a single record would always be cached.
import type { OpenStreams } from '../harness/load.ts'

export interface RequestParams {
  key: string
  /** Ids of records of deals. */
  ids: string[]
}

export const openStreams: OpenStreams<RequestParams, 'get'> = ({ key, ids }) => {
  const headers = { authorization: `Bearer ${key}` }
  let turn = 0
  return {
    get: () => ({
      method: 'GET',
      path: `/api/v1/objects/deals/records/${ids[turn++ % ids.length]}`,
      headers,
    }),
  }
}
