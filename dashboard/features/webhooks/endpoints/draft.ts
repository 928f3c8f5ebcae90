// The form of an endpoint: field values, problems, and the request.
import type { Endpoint, EndpointPatch, NewEndpoint } from '../api/webhooks.ts'
import type { ChosenTypes } from './event-type-tree.ts'
import { concernsChanges, concernsObjects } from './filter-words.ts'
import { headerProblems } from './header-problem.ts'
import { urlProblem } from './url-problem.ts'

/** The `key` stays the same when rows before it are added or removed. */
export interface HeaderRow {
  key: string
  name: string
  value: string
}

export interface Draft {
  url: string
  description: string
  eventTypes: ChosenTypes
  /** null: all objects; empty: all chosen objects have been deleted. */
  objectIds: readonly string[] | null
  /** Empty: any change. */
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

/** Omits filters that do not apply to the chosen event types. */
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

/** Only changed fields, so that another person's changes of other fields are kept. */
export function patchOf(before: Draft, after: Draft): EndpointPatch {
  const old: Record<string, unknown> = bodyOf(before)
  const changed = Object.entries(bodyOf(after)).filter(
    ([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed)
}

/** Problems by path, in the notation of the service: `headers[0].name`. */
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
