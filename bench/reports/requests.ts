// Requests beside running reports: the same record again and again would be in every cache, so all of a page in turn.
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
