// Requests to the service and to the limit that create people and change existing ones.
import type { ClientRequest } from './client.ts'
import { companyId } from './companies.ts'
import { flat } from './limit-table.ts'
import type { Requests } from './measure.ts'
import { type Person, personAt } from './people.ts'
import { type Address, headersOf, recordsPath } from './requests.ts'

export type Make = (count: number) => Requests

const JSON_HEADERS = { 'content-type': 'application/json' }

/** Generates new people. @param mark prefix of their email addresses */
function newPeople(companies: number, mark: string): (count: number) => Person[] {
  let made = 0
  const options = { mark, companies: { count: companies, idOf: companyId } }
  return (count) => Array.from({ length: count }, () => personAt(made++, options))
}

const times = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make)

const limitPost = (people: readonly Person[]): ClientRequest => ({
  method: 'POST',
  path: '/people',
  headers: JSON_HEADERS,
  body: JSON.stringify(people.map(flat)),
})

interface Source {
  address: Address
  companies: number
}

const servicePost = (address: Address, suffix: string, body: object): ClientRequest => ({
  method: 'POST',
  path: `${recordsPath(address)}${suffix}`,
  headers: headersOf(address),
  body: JSON.stringify(body),
})

export function creating({ address, companies }: Source): Make {
  const next = newPeople(companies, 'one-')
  return (count) => {
    const people = next(count)
    return {
      service: people.map((data) => servicePost(address, '', { data })),
      limit: people.map((person) => limitPost([person])),
    }
  }
}

export function creatingMany({ address, companies }: Source, records: number): Make {
  const next = newPeople(companies, 'many-')
  return (count) => {
    const batches = times(count, () => next(records))
    return {
      service: batches.map((people) =>
        servicePost(address, '/bulk', { records: people.map((data) => ({ data })) }),
      ),
      limit: batches.map(limitPost),
    }
  }
}

/** Larger than any existing value. Each patch uses the next number, so that no two write the same. */
const FIRST_EMPLOYEES = 100_000

/** Patches the employees of the records in turn. */
export function patching({ address }: Source, ids: readonly string[]): Make {
  let made = 0
  return (count) => {
    const patches = times(count, () => {
      const employees = FIRST_EMPLOYEES + made++
      return { id: ids[employees % ids.length], employees }
    })
    return {
      service: patches.map(({ id, employees }) => ({
        method: 'PATCH',
        path: `${recordsPath(address)}/${id}`,
        headers: headersOf(address),
        body: JSON.stringify({ data: { employees } }),
      })),
      limit: patches.map(({ id, employees }) => ({
        method: 'PATCH',
        path: `/people/${id}`,
        headers: JSON_HEADERS,
        body: JSON.stringify({ employees }),
      })),
    }
  }
}
