// The data of the home page.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Home, RecentRecord } from '../../../contract/home.ts'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { type Attribute, objectQuery, objectsQuery } from '../../shared/api/objects.ts'
import { requestQuery } from '../../shared/api/queries.ts'

export type { Home, RecentRecord }

export const homeQuery = (org: string) =>
  queryOptions({ ...requestQuery([org, 'home'], 'GET /home', { org }), staleTime: 0 })

/** The object and attribute whose values the bars of the home page count. */
export interface Pipeline {
  object: ObjectWithAttributes
  by: Attribute
  sumOf: Attribute | undefined
}

function pipelineOf(object: ObjectWithAttributes): Pipeline | undefined {
  const single = object.attributes.filter(({ isList }) => !isList)
  const selects = single.filter(({ type }) => type === 'select')
  const by = selects.find(({ slug }) => slug === 'stage') ?? selects[0]
  return by && { object, by, sumOf: single.find(({ type }) => type === 'currency') }
}

/** Deals by stage; else the first object with a select attribute; null if no object has one. */
export const pipelineQuery = (org: string, client: QueryClient) =>
  queryOptions({
    queryKey: [org, 'objects', 'pipeline'],
    queryFn: async (): Promise<Pipeline | null> => {
      const objects = (await client.ensureQueryData(objectsQuery(org))).filter(({ isActive }) => isActive)
      for (const { slug } of objects.toSorted((a, b) => rank(a.slug) - rank(b.slug))) {
        const pipeline = pipelineOf(await client.ensureQueryData(objectQuery(org, slug)))
        if (pipeline) return pipeline
      }
      return null
    },
    staleTime: 60_000,
  })

const rank = (slug: string) => (slug === 'deals' ? 0 : 1)
