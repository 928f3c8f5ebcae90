// Restores the values before a change, after a preview. The user decides about each value that has changed since.

import { Skeleton, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { toast } from '../../../shared/toast.ts'
import { invalidateRecords } from '../../../shared/undo/invalidate-records.ts'
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
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data, error } = useQuery(previewQuery(change))
  const attributeOf = (slug: string) => attributes.find((one) => one.slug === slug)
  const choose = (slug: string, isChosen: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== slug), ...(isChosen ? [slug] : [])])
  const isNothing = data && Object.keys(data.changes).length === 0 && data.conflicts.length === 0
  return (
    <ConfirmDialog
      title="Restore earlier values?"
      confirm="Restore"
      isHarmless
      onConfirm={() => restore(chosen)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <FormError error={error} />
        {!data && !error && (
          <Skeleton height={16} width="70%" role="status" aria-label="Checking the values" />
        )}
        {isNothing && <Text>The record has these values already.</Text>}
        {Object.entries(data?.changes ?? {}).map(([slug, { from, to }]) => (
          <div key={slug}>
            <Text size="xs" c="dimmed">
              {attributeOf(slug)?.name ?? 'A value'}
            </Text>
            <ValueStep attribute={attributeOf(slug)} from={from} to={to} />
          </div>
        ))}
        {data?.conflicts.map((conflict) => (
          <Conflict
            key={conflict.attributeSlug}
            attribute={attributeOf(conflict.attributeSlug)}
            conflict={conflict}
            isChosen={chosen.includes(conflict.attributeSlug)}
            onChoose={(isChosen) => choose(conflict.attributeSlug, isChosen)}
          />
        ))}
      </Stack>
    </ConfirmDialog>
  )
}
