// The sentences of a definition, after its objects and records are loaded.
import { type QueryClient, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { ApiError } from '../../../shared/api/errors.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { CREATORS, missingName, recordNameQuery } from '../../../shared/api/record-names.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { namedBy } from '../../../shared/values/attribute-config.ts'
import { definitionWords, type Sentence } from './definition-words.ts'
import { comparedRecords } from './filter-words.ts'
import { type FieldWords, fieldWords, namedObjectsOf, objectsOf, type ReportModel } from './named-objects.ts'

/** undefined: the object does not exist. */
async function readObject(client: QueryClient, org: string, ref: string) {
  try {
    return await client.fetchQuery(objectQuery(org, ref))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Loads objects step by step, because the target of a reference is known only when its object is loaded. */
async function readModel(
  client: QueryClient,
  org: string,
  definition: ReportDefinition,
): Promise<ReportModel> {
  const model = new Map<string, ObjectWithAttributes>()
  const asked = new Set<string>()
  for (;;) {
    const missing = objectsOf(definition, model).filter((ref) => !asked.has(ref))
    if (missing.length === 0) return model
    for (const ref of missing) asked.add(ref)
    for (const object of await Promise.all(missing.map((ref) => readObject(client, org, ref))))
      if (object) model.set(object.id, object).set(object.slug, object)
  }
}

/** The objects that the sentences of a definition name. */
export const definitionModelQuery = (org: string, definition: ReportDefinition) =>
  queryOptions({
    queryKey: [
      org,
      'reports',
      'model',
      definition.source,
      definition.joins ?? null,
      definition.filters ?? null,
    ],
    queryFn: ({ client }) => readModel(client, org, definition),
    staleTime: 60_000,
  })

const NOTHING: ReportModel = new Map()

function targetIn({ attribute, type }: FieldWords): string | undefined {
  if (attribute) return namedBy(attribute)
  return type === 'member' ? CREATORS : undefined
}

function useRecordNames(definition: ReportDefinition, model: ReportModel): ReadonlyMap<string, string> {
  const org = useOrg()
  const namedObjects = namedObjectsOf(definition, model)
  const refs = comparedRecords(definition.filters).flatMap(({ field, recordId }) => {
    const objectId = targetIn(fieldWords(field, namedObjects))
    return objectId === undefined ? [] : [{ objectId, recordId }]
  })
  const found = useQueries({ queries: refs.map((ref) => recordNameQuery(org, ref)) })
  const named = refs.flatMap(({ objectId, recordId }, index): [string, string][] => {
    const name = found[index]?.data
    return name === undefined ? [] : [[recordId, name ?? `a ${missingName(objectId).toLowerCase()}`]]
  })
  return new Map(named)
}

/** undefined while the objects are loading. */
export function useDefinitionWords(definition: ReportDefinition): Sentence[] | undefined {
  const { data: model } = useQuery(definitionModelQuery(useOrg(), definition))
  const names = useRecordNames(definition, model ?? NOTHING)
  return model && definitionWords(definition, model, names)
}
