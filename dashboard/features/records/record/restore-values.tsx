// Restores the values of a record before a change, after a preview.
import { Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Attribute } from '../../../shared/api/objects.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import { toast } from '../../../shared/toast.ts'
import { invalidateRecords } from '../../../shared/undo/invalidate-records.ts'
import { RestoreDialog } from '../../../shared/undo/restore-dialog.tsx'
import { type ChangeOf, undoChange } from '../../../shared/undo/undo-changes.ts'
import { Conflict, ValueStep } from '../../../shared/undo/undo-conflict.tsx'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { useOrg } from '../../../shared/use-organization.ts'

/** A dry run of restoring. */
const previewQuery = (change: ChangeOf) =>
  queryOptions({
    queryKey: [...recordsKey(change.org, change.object), 'deletion', 'undo', change.recordId, change.version],
    queryFn: () => undoChange(change, { dryRun: true }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

const RESTORED = 'Earlier values restored'

/** @returns a function that restores the values, and offers to undo that */
function useRestore(change: ChangeOf) {
  const client = useQueryClient()
  const showConflicts = useSetConflicts()
  const { org, object, recordId } = change
  const restoring = async (of: ChangeOf, overwrite: readonly string[]) => {
    const undone = await undoChange(of, { overwrite: [...overwrite] })
    invalidateRecords(client, org)
    return undone
  }
  return async (overwrite: readonly string[]) => {
    const { record, changes } = await restoring(change, overwrite)
    const isChanged = Object.keys(changes).length > 0
    if (!isChanged) return toast(RESTORED)
    const { version } = record
    pushUndo({
      label: RESTORED,
      async undo() {
        const { conflicts } = await restoring({ ...change, version }, [])
        showConflicts(
          { org, object },
          conflicts.map((one) => ({ recordId, version, ...one })),
        )
        return undefined
      },
    })
  }
}

interface RestoreValuesProps {
  change: Omit<ChangeOf, 'org'>
  attributes: readonly Attribute[]
  onClose(): void
}

export function RestoreValues({
  change: { object, recordId, version },
  attributes,
  onClose,
}: RestoreValuesProps) {
  const change: ChangeOf = { org: useOrg(), object, recordId, version }
  const restore = useRestore(change)
  const preview = useQuery(previewQuery(change))
  const attributeOf = (slug: string) => attributes.find((one) => one.slug === slug)
  return (
    <RestoreDialog what="The record" preview={preview} onConfirm={restore} onClose={onClose}>
      {({ changes, conflicts }, choice) => (
        <>
          {Object.entries(changes).map(([slug, { from, to }]) => (
            <div key={slug}>
              <Text size="xs" c="dimmed">
                {attributeOf(slug)?.name ?? 'A value'}
              </Text>
              <ValueStep attribute={attributeOf(slug)} from={from} to={to} />
            </div>
          ))}
          {conflicts.map((conflict) => (
            <Conflict
              key={conflict.attributeSlug}
              attribute={attributeOf(conflict.attributeSlug)}
              conflict={conflict}
              {...choice(conflict.attributeSlug)}
            />
          ))}
        </>
      )}
    </RestoreDialog>
  )
}
