// Restores the values before a change, after a preview. The user decides about each value that has changed since.

import { Skeleton, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { toast } from '../../../shared/toast.ts'
import { type ChangeOf, undoChange } from '../../../shared/undo/undo-changes.ts'
import { Conflict, ValueStep } from '../../../shared/undo/undo-conflict.tsx'
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
  const client = useQueryClient()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data, error } = useQuery(previewQuery(change))
  const attributeOf = (slug: string) => attributes.find((one) => one.slug === slug)
  const restore = async () => {
    await undoChange(change, { overwrite: [...chosen] })
    for (const kind of ['records', 'history', 'record-name'])
      void client.invalidateQueries({ queryKey: [change.org, kind] })
    toast('Earlier values restored')
  }
  const choose = (slug: string, isChosen: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== slug), ...(isChosen ? [slug] : [])])
  const isNothing = data && Object.keys(data.changes).length === 0 && data.conflicts.length === 0
  return (
    <ConfirmDialog
      title="Restore earlier values?"
      confirm="Restore"
      isHarmless
      onConfirm={restore}
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
