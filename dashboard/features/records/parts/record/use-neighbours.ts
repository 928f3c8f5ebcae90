// The record before and after: of the list it was opened from, else of all, the newest first.
import { useQuery } from '@tanstack/react-query'
import { useOrg } from '../../../../shared/use-organization.ts'
import { newestRecordsQuery, placeIn, rememberedNeighbours } from '../../api/record-neighbours.ts'

interface Beside {
  previous?: string | undefined
  next?: string | undefined
  /** undefined where it is not known how many there are. */
  place?: number
  total?: number
}

export function useNeighbours(object: string, id: string): Beside {
  const org = useOrg()
  const remembered = rememberedNeighbours(org, object, id)
  const { data: newest } = useQuery({ ...newestRecordsQuery(org, object), enabled: remembered === undefined })
  if (remembered) return remembered
  const found = newest && placeIn(newest, id)
  if (!found) return {}
  const { previous, next } = found
  return newest.isComplete ? found : { previous, next }
}
