// Sets a secret, or replaces the value of an existing one. The old value is never shown.

import { PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { SECRET_NAME_PATTERN } from '../../../../contract/workflow-states.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { type DataForm, useDataForm } from '../../../shared/form/use-data-form.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { putSecret, secretsQuery } from '../api/workflows.ts'

const isName = (text: string) => new RegExp(SECRET_NAME_PATTERN).test(text)

/** Converts typed text to a name, which consists of capitals, digits and underscores. */
const asName = (text: string) => text.toUpperCase().replace(/[^A-Z0-9_]/g, '_')

interface SecretPanelProps {
  /** Name of the secret to replace; undefined: creates a secret. */
  name?: string
  taken: readonly string[]
  onClose(): void
}

interface Secret {
  name: string
  value: string
}

function useSecret({ name: given, onClose }: SecretPanelProps) {
  const org = useOrg()
  const client = useQueryClient()
  return useDataForm<Secret>({
    initial: { name: given ?? '', value: '' },
    async save(secret) {
      await putSecret(org, secret)
      await client.invalidateQueries({ queryKey: secretsQuery(org).queryKey })
      onClose()
    },
    onClose,
  })
}

function nameProblem({ name: given, taken }: SecretPanelProps, name: string): string | undefined {
  if (given === undefined && taken.includes(name))
    return 'A secret with this name exists: replace it in the list'
  return name === '' || isName(name) ? undefined : 'Start with a letter; at most 64 characters'
}

function NameField({ form, problem }: { form: DataForm<Secret>; problem: string | undefined }) {
  const { error, ...field } = form.field('name', asName)
  return (
    <TextInput
      label="Name"
      description="Capitals, digits and _, such as ERP_TOKEN"
      {...field}
      error={problem ?? error}
      required
      data-autofocus
      autoComplete="off"
      spellCheck={false}
    />
  )
}

export function SecretPanel(props: SecretPanelProps) {
  const { name: given, onClose } = props
  const form = useSecret(props)
  const { name, value } = form.values
  const problem = nameProblem(props, name)
  const isNew = given === undefined
  return (
    <SidePanel title={isNew ? 'New secret' : `Replace ${given}`} onClose={onClose}>
      <Form form={form}>
        {isNew && <NameField form={form} problem={problem} />}
        <PasswordInput
          label="Value"
          description="Stored encrypted, and never shown again"
          {...form.field('value')}
          required
          data-autofocus={!isNew || undefined}
          autoComplete="new-password"
        />
        <FormEnd
          form={form}
          verb={isNew ? 'Save secret' : 'Replace value'}
          isReady={name !== '' && value !== '' && problem === undefined}
          shown={isNew ? ['name', 'value'] : ['value']}
        />
      </Form>
    </SidePanel>
  )
}
