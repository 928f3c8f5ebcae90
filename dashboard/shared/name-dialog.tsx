// A dialog that asks for a name.
import { Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { fieldErrors, messageOf } from './api/errors.ts'

interface NameDialogProps {
  title: string
  name: string
  confirm: string
  /** Also asks whether to share the item with all members. */
  withShare?: boolean
  onConfirm(name: string, isShared: boolean): Promise<unknown>
  onClose(): void
}

function useNaming({ name, onConfirm, onClose }: NameDialogProps) {
  const [draft, setDraft] = useState(name)
  const [isShared, setShared] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const submit = async () => {
    setBusy(true)
    try {
      await onConfirm(draft.trim(), isShared)
      onClose()
    } catch (refusal) {
      setError(fieldErrors(refusal)['name'] ?? messageOf(refusal))
      setBusy(false)
    }
  }
  return { draft, setDraft, isShared, setShared, isBusy, error, submit }
}

/** Render it while it is open. It shows the error of a refusal. */
export function NameDialog(props: NameDialogProps) {
  const { title, confirm, withShare, onClose } = props
  const form = useNaming(props)
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            value={form.draft}
            required
            error={form.error}
            onChange={({ currentTarget }) => form.setDraft(currentTarget.value)}
            data-autofocus
          />
          {withShare && (
            <Switch
              label="Share with everyone in the organization"
              checked={form.isShared}
              onChange={({ currentTarget }) => form.setShared(currentTarget.checked)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isBusy} disabled={form.draft.trim() === ''}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
