// What the page has loaded of the objects of an organization.
import type { QueryClient } from '@tanstack/react-query'
import { type CrmObject, objectQuery, objectsQuery } from '../api/objects.ts'
import type { Objects } from './reference-paths.ts'

export function loadedObjects(client: QueryClient, org: string): Objects {
  const objects = client.getQueryData(objectsQuery(org).queryKey)
  const slugs = new Map(objects?.map(({ id, slug }) => [id, slug]))
  const attributesOf = (object: string) => {
    const find = (ref: string | undefined) =>
      ref === undefined ? undefined : client.getQueryData(objectQuery(org, ref).queryKey)?.attributes
    const isThis = ({ id, slug }: Pick<CrmObject, 'id' | 'slug'>) => id === object || slug === object
    const known = objects?.find(isThis)
    return find(object) ?? find(known?.slug) ?? find(known?.id)
  }
  return {
    slugOf: (id) => slugs.get(id),
    targetOf(object, slug) {
      const attributes = attributesOf(object)
      if (!attributes) return undefined
      const config = attributes.find((attribute) => attribute.slug === slug)?.config
      return config && 'allowed_object_id' in config ? config.allowed_object_id : null
    },
  }
}
