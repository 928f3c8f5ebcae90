// Asks whether to restore the values before a change, with a preview. The user decides about each value that has changed
// since.
import { Skeleton, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { FormError } from '../form-error.tsx'

/** The values that would be restored, and those that have changed since, by their names. */
interface Preview {
  changes: object
  conflicts: readonly unknown[]
}

interface RestoreDialogProps<Data extends Preview, Name extends string> {
  /** What changes has the values already: "The record". */
  what: string
  /** A query of the dry run. */
  preview: { data: Data | undefined; error: Error | null }
  /** @param overwrite names of the chosen values that have changed since */
  onConfirm(overwrite: Name[]): Promise<unknown>
  onClose(): void
  children(data: Data, choice: (name: Name) => Choice): ReactNode
}

/** Whether a value that has changed since is restored too. */
export interface Choice {
  isChosen: boolean
  onChoose(isChosen: boolean): void
}

export function RestoreDialog<Data extends Preview, Name extends string>({
  what,
  preview: { data, error },
  onConfirm,
  onClose,
  children,
}: RestoreDialogProps<Data, Name>) {
  const [chosen, setChosen] = useState<Name[]>([])
  const choice = (name: Name): Choice => ({
    isChosen: chosen.includes(name),
    onChoose: (isChosen) =>
      setChosen((before) => [...before.filter((one) => one !== name), ...(isChosen ? [name] : [])]),
  })
  const isNothing = data && Object.keys(data.changes).length === 0 && data.conflicts.length === 0
  return (
    <ConfirmDialog
      title="Restore earlier values?"
      confirm="Restore"
      isHarmless
      onConfirm={() => onConfirm(chosen)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <FormError error={error} />
        {!data && !error && (
          <Skeleton height={16} width="70%" role="status" aria-label="Checking the values" />
        )}
        {isNothing && <Text>{what} has these values already.</Text>}
        {data && children(data, choice)}
      </Stack>
    </ConfirmDialog>
  )
}
