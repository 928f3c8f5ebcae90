// Changes many cells of a table. The code is loaded with the first change.
import { useQueryClient } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { useOrganization } from '../../../shared/use-organization.ts'
import type { ChangeSet } from './change-set.ts'

/** @returns a function that writes a change set, and shows a message with Undo */
export function useChangeSet(object: ObjectWithAttributes): (set: ChangeSet) => Promise<void> {
  const client = useQueryClient()
  const showConflicts = useSetConflicts()
  const { organization, user } = useOrganization()
  return async (set) => {
    const { writeChangeSet } = await import('./change-set.ts')
    const context = { client, showConflicts, org: organization.slug, userId: user.id, object }
    await writeChangeSet(context, set)
  }
}
