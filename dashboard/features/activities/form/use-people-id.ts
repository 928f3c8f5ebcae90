import { useQuery } from '@tanstack/react-query'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'

/** The object whose records can take part in activities. */
export function usePeopleId(): string {
  const { data: objects = [] } = useQuery(objectsQuery(useOrg()))
  return objects.find(({ slug }) => slug === 'people')?.id ?? 'people'
}
