// Another person has saved a version since the editor was opened: asks which version to keep.
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Choice, ConflictChoice } from '../../ui/conflict-choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PartPending } from '../../ui/page-pending.tsx'
import { ErrorState } from '../state.tsx'
import type { Saving } from './use-saving.ts'

interface VersionConflictProps<Definition> {
  title: string
  size?: string
  saving: Saving<Definition>
  /** The other person's version; undefined until it is loaded. */
  theirs: { definition: Definition; version: number } | undefined
  /** Why it was not loaded. */
  error: unknown
  onRetry(): void
  /** How the versions differ. */
  children: ReactNode
}

export function VersionConflict<Definition>(props: VersionConflictProps<Definition>) {
  const { title, size, saving, theirs, error, onRetry, children } = props
  const decide = ({ definition, version }: NonNullable<typeof theirs>, choice: Choice) =>
    choice === 'mine' ? void saving.save(version) : saving.adopt(definition, version)
  return (
    <Dialog onClose={saving.forget} title={title} {...(size && { size })}>
      <Stack gap="md">
        {theirs && children}
        {theirs && <ConflictChoice decide={(choice) => decide(theirs, choice)} />}
        {!theirs && (error ? <ErrorState error={error} onRetry={onRetry} /> : <PartPending />)}
      </Stack>
    </Dialog>
  )
}
