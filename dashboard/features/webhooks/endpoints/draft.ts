// The form of an endpoint: what is in its fields, what is wrong with them, and the request it makes.
import type { Endpoint, EndpointPatch, NewEndpoint } from '../api/webhooks.ts'
import type { ChosenTypes } from './event-type-tree.ts'
import { concernsChanges, concernsObjects } from './filter-words.ts'
import { headerProblems } from './header-problem.ts'
import { urlProblem } from './url-problem.ts'

/** Its `key` stays the same while rows before it come and go. */
export interface HeaderRow {
  key: string
  name: string
  value: string
}

export interface Draft {
  url: string
  description: string
  eventTypes: ChosenTypes
  /** null: every object; empty: those that were chosen are deleted, and none is left. */
  objectIds: readonly string[] | null
  /** None: any change. */
  changedAttributes: readonly string[]
  headers: readonly HeaderRow[]
  rateLimit: number | null
}

const EMPTY: Draft = {
  url: '',
  description: '',
  eventTypes: null,
  objectIds: null,
  changedAttributes: [],
  headers: [],
  rateLimit: null,
}

export const draftOf = (endpoint?: Endpoint): Draft =>
  endpoint
    ? {
        url: endpoint.url,
        description: endpoint.description,
        eventTypes: endpoint.eventTypes,
        objectIds: endpoint.objectIds,
        changedAttributes: endpoint.changedAttributes ?? [],
        headers: endpoint.headers.map((header, index) => ({ ...header, key: `${index}` })),
        rateLimit: endpoint.rateLimit,
      }
    : EMPTY

const someOf = (values: readonly string[] | null, isConcerned: boolean) =>
  isConcerned && values ? [...values] : null

/** Filters of what is not sent are left out. */
export const bodyOf = (draft: Draft): Required<NewEndpoint> => ({
  url: draft.url.trim(),
  description: draft.description.trim(),
  eventTypes: draft.eventTypes && [...draft.eventTypes],
  objectIds: someOf(draft.objectIds, concernsObjects(draft.eventTypes)),
  changedAttributes: someOf(
    draft.changedAttributes.length > 0 ? draft.changedAttributes : null,
    concernsChanges(draft.eventTypes),
  ),
  headers: draft.headers.map(({ name, value }) => ({ name: name.trim(), value: value.trim() })),
  rateLimit: draft.rateLimit,
})

/** The fields that differ: what another person changed meanwhile elsewhere stays. */
export function patchOf(before: Draft, after: Draft): EndpointPatch {
  const old: Record<string, unknown> = bodyOf(before)
  const changed = Object.entries(bodyOf(after)).filter(
    ([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed)
}

/** By path, as the service names them: `headers[0].name`. */
export function draftProblems(draft: Draft): Record<string, string> {
  const names = draft.headers.map(({ name }) => name)
  const found: [string, string | undefined][] = [
    ['url', urlProblem(draft.url)],
    ['eventTypes', draft.eventTypes?.length === 0 ? 'Choose at least one' : undefined],
    ...draft.headers.flatMap((header, index): [string, string | undefined][] => {
      const { name, value } = headerProblems(header, names.slice(0, index))
      return [
        [`headers[${index}].name`, name],
        [`headers[${index}].value`, value],
      ]
    }),
  ]
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined))
}
