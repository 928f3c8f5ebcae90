import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NAME_MAX } from '../../../../../contract/limits.ts'
import type { SessionUser } from '../../../../../contract/session.ts'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { toast } from '../../../../shared/toast.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { renamePerson } from '../../../identity/api.ts'

export function NameForm({ user }: { user: SessionUser }) {
  const client = useQueryClient()
  const [name, setName] = useState(user.name)
  const { submit, isBusy, error } = useSubmit(async () => {
    await renamePerson(name)
    // It stands in the session, in lists of members, and beside everything the user made.
    await client.invalidateQueries()
    toast('Name saved')
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit(undefined)
      }}
    >
      <Stack gap="sm" maw={400} align="flex-start">
        <TextInput
          label="Name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          autoComplete="name"
          maxLength={NAME_MAX}
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
        <Button type="submit" loading={isBusy} disabled={name.trim() === '' || name === user.name}>
          Save name
        </Button>
      </Stack>
    </form>
  )
}
