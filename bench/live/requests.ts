// Reads that cycle through the organizations, as dashboards and integrations send them.
import type { LoadRequest, OpenStreams } from '../harness/load.ts'
import type { Audience } from './sessions.ts'

export const READS = ['one record', 'first page'] as const
export type Read = (typeof READS)[number]

const PEOPLE = '/api/v1/objects/people/records'

export const openStreams: OpenStreams<{ audiences: Pick<Audience, 'key' | 'personIds'>[] }, Read> = ({
  audiences,
}) => {
  let turn = 0
  const next = (pathOf: (personId: string) => string): LoadRequest => {
    const nr = turn++
    const { key, personIds } = audiences[nr % audiences.length] ?? { key: '', personIds: [] }
    const personId = personIds[Math.floor(nr / audiences.length) % personIds.length] ?? ''
    return { method: 'GET', path: pathOf(personId), headers: { authorization: `Bearer ${key}` } }
  }
  return {
    'one record': () => next((id) => `${PEOPLE}/${id}`),
    'first page': () => next(() => `${PEOPLE}?limit=50`),
  }
}
