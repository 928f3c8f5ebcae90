// Requests that create one company each. They are made in the load process.
import type { OpenStreams } from '../harness/load.ts'
import { SAMPLE } from './fixture.ts'

export const openStreams: OpenStreams<{ key: string; mark: string }, 'create'> = ({ key, mark }) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let made = 0
  return {
    create() {
      const data = { ...SAMPLE, domain: `${mark}-${made++}.example.com` }
      return {
        method: 'POST',
        path: '/api/v1/objects/companies/records',
        headers,
        body: JSON.stringify({ data }),
      }
    },
  }
}
