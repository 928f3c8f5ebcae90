import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SessionUser } from '../../../../contract/session.ts'
import { Form, FormProblem, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { toast } from '../../../shared/toast.ts'
import { renamePerson } from '../../identity/api.ts'

export function NameForm({ user }: { user: SessionUser }) {
  const client = useQueryClient()
  const form = useDataForm({
    draft: 'profile',
    initial: () => ({ name: user.name }),
    async save(sent, { settle }) {
      await renamePerson(sent.name)
      settle(sent, sent)
      // Many queries contain the name: the session, members, and everything that the user created.
      await client.invalidateQueries()
      toast('Name saved')
    },
  })
  return (
    <Form form={form} gap="sm" maw={400} align="flex-start">
      <TextInput label="Name" {...form.field('name')} autoComplete="name" required w="100%" />
      <TextInput
        label="Email"
        description="What you sign in with; it cannot be changed"
        value={user.email}
        readOnly
        variant="filled"
        w="100%"
      />
      <FormProblem form={form} />
      <SubmitButton form={form} isReady={form.values.name.trim() !== '' && form.isChanged}>
        Save name
      </SubmitButton>
    </Form>
  )
}
