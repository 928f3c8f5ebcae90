// Shared by all steps: the object, the import in the address, and a function that opens another import.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { objectQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import type { ImportSearch } from '../steps.ts'

const HERE = '/o/$org/objects/$object/import'

export function useImportPage() {
  const org = useOrg()
  const { object: slug } = useParams({ from: HERE })
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const { data: object } = useSuspenseQuery(objectQuery(org, slug))
  const open = (to: ImportSearch, options?: { replace: boolean }) => void navigate({ search: to, ...options })
  return { org, object, search, open }
}
