import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SessionUser } from '../../../../../contract/session.ts'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { toast } from '../../../../shared/toast.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { renamePerson } from '../../../identity/api.ts'

export function NameForm({ user }: { user: SessionUser }) {
  const client = useQueryClient()
  const draft = useDraft('profile', () => ({ name: user.name }))
  const { name } = draft.value
  const { submit, isBusy, error } = useSubmit(async () => {
    await renamePerson(name)
    draft.settle({ name }, { name })
    // It stands in the session, in lists of members, and beside everything the user made.
    await client.invalidateQueries()
    toast('Name saved')
  })
  return (
    <DraftForm draft={draft} onSubmit={() => submit(undefined)}>
      <Stack gap="sm" maw={400} align="flex-start">
        <TextInput
          label="Name"
          value={name}
          onChange={({ currentTarget }) => draft.change({ name: currentTarget.value })}
          autoComplete="name"
          required
          w="100%"
          error={fieldErrors(error).name}
        />
        <TextInput
          label="Email"
          description="What you sign in with; it cannot be changed"
          value={user.email}
          readOnly
          variant="filled"
          w="100%"
        />
        <FormError error={error} fields={['name']} />
        <Button type="submit" loading={isBusy} disabled={name.trim() === '' || !draft.isChanged}>
          Save name
        </Button>
      </Stack>
    </DraftForm>
  )
}
