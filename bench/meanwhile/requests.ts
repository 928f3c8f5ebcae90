// The requests of the other organization.
import type { OpenStreams } from '../harness/load.ts'

export interface RequestParams {
  key: string
}

export type StreamName = 'list'

export const openStreams: OpenStreams<RequestParams, StreamName> = ({ key }) => {
  const headers = { authorization: `Bearer ${key}` }
  return { list: () => ({ method: 'GET', path: '/api/v1/objects/people/records?limit=20', headers }) }
}
