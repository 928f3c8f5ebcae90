// The dialogs of the builder: the name of a copy, and the choice between conflicting versions.
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, messageOf } from '../../../shared/api/errors.ts'
import { VersionConflict } from '../../../shared/editing/version-conflict.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { reportQuery } from '../api/reports.ts'
import { useBuilder } from './builder-context.ts'
import { differingParts } from './differing-parts.ts'

export function CopyDialog({ onClose }: { onClose(): void }) {
  const { draft, saving } = useBuilder()
  const [name, setName] = useState(`${draft.name} (copy)`.slice(0, 200))
  const taken = hasCode(saving.error, 'name_taken') ? 'Another report has this name' : undefined
  const save = async () => {
    if (name.trim() !== '' && (await saving.saveCopy(name))) onClose()
  }
  return (
    <Dialog onClose={onClose} title="Save as a copy">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            value={name}
            error={taken ?? (saving.error !== undefined && messageOf(saving.error))}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isBusy} disabled={name.trim() === ''}>
              Save copy
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

export function ConflictDialog({ reportId }: { reportId: string }) {
  const { draft, saving } = useBuilder()
  const { data, error, refetch } = useQuery({ ...reportQuery(useOrg(), reportId), staleTime: 0 })
  const theirs = data && data.version >= (saving.conflict ?? 0) ? data : undefined
  return (
    <VersionConflict
      title="This report was changed by someone else"
      saving={saving}
      theirs={theirs}
      error={error}
      onRetry={() => void refetch()}
    >
      {theirs && (
        <div>
          Version {theirs.version} was saved while you edited. The two versions differ in{' '}
          {differingParts(theirs.definition, draft)}.
        </div>
      )}
    </VersionConflict>
  )
}
