import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SessionUser } from '../../../../contract/session.ts'
import { sessionQuery } from '../../../shared/api/session.ts'
import { Form, FormProblem, SubmitButton } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useFollowing } from '../../../shared/form/use-following.ts'
import { offerFieldsUndo } from '../../../shared/undo/offer-fields-undo.ts'
import { renamePerson } from '../../identity/api.ts'

type Named = Pick<SessionUser, 'name'>

export function NameForm({ user }: { user: SessionUser }) {
  const client = useQueryClient()
  const write = async ({ name }: Partial<Named>) => {
    if (name !== undefined) await renamePerson(name)
    // Many queries contain the name: the session, members, and everything that the user created.
    await client.invalidateQueries()
  }
  const read = async () => {
    const session = await client.fetchQuery({ ...sessionQuery(), staleTime: 0 })
    return { name: session?.user.name ?? user.name }
  }
  const form = useDataForm<Named>({
    draft: 'profile',
    initial: () => ({ name: user.name }),
    async save(sent, { before, settle }) {
      await write(sent)
      settle(sent, sent)
      offerFieldsUndo({ label: 'Name saved', before, saved: sent, read, write })
    },
  })
  useFollowing(form, { name: user.name })
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
