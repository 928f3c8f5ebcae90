// Sets a secret, or gives one that is there another value; what it was is shown nowhere.
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SECRET_NAME_PATTERN } from '../../../../../contract/workflow-states.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { putSecret, secretsQuery } from '../../api/workflows.ts'

const isName = (text: string) => new RegExp(SECRET_NAME_PATTERN).test(text)

/** Names are in capitals, so they are typed as one likes. */
const asName = (text: string) => text.toUpperCase().replace(/[^A-Z0-9_]/g, '_')

interface SecretPanelProps {
  /** Whose value is replaced; undefined: it is a new one. */
  name?: string
  taken: readonly string[]
  onClose(): void
}

function useSecret({ name: given, taken, onClose }: SecretPanelProps) {
  const org = useOrg()
  const client = useQueryClient()
  const [name, setName] = useState(given ?? '')
  const [value, setValue] = useState('')
  const submission = useSubmit(async () => {
    await putSecret(org, { name, value })
    await client.invalidateQueries({ queryKey: secretsQuery(org).queryKey })
    onClose()
  })
  const isTaken = given === undefined && taken.includes(name)
  const isComplete = isName(name) && value !== '' && !isTaken
  return {
    ...submission,
    name,
    setName: (text: string) => setName(asName(text)),
    value,
    setValue,
    isTaken,
    isComplete,
  }
}

function nameProblem({ name, isTaken }: { name: string; isTaken: boolean }): string | undefined {
  if (isTaken) return 'A secret with this name exists: replace it in the list'
  return name === '' || isName(name) ? undefined : 'Start with a letter; at most 64 characters'
}

export function SecretPanel(props: SecretPanelProps) {
  const { name: given, onClose } = props
  const form = useSecret(props)
  return (
    <SidePanel title={given === undefined ? 'New secret' : `Replace ${given}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit(undefined)
        }}
      >
        <Stack gap="md">
          {given === undefined && (
            <TextInput
              label="Name"
              description="Capitals, digits and _, such as ERP_TOKEN"
              value={form.name}
              onChange={({ currentTarget }) => form.setName(currentTarget.value)}
              error={nameProblem(form)}
              required
              data-autofocus
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <PasswordInput
            label="Value"
            description="Stored encrypted, and never shown again"
            value={form.value}
            onChange={({ currentTarget }) => form.setValue(currentTarget.value)}
            required
            data-autofocus={given !== undefined || undefined}
            autoComplete="new-password"
          />
          <FormError error={form.error} />
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isBusy} disabled={!form.isComplete}>
              {given === undefined ? 'Save secret' : 'Replace value'}
            </Button>
          </Group>
        </Stack>
      </form>
    </SidePanel>
  )
}
