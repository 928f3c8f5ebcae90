import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Lock, LockKeyhole, Plus } from 'lucide-react'
import { SECRETS_MAX } from '../../../contract/workflow-states.ts'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { WithReason } from '../../ui/allowed.tsx'
import { held } from '../../ui/held.ts'
import { SettingsPage } from '../../ui/sections.tsx'
import { usePanel } from '../../ui/use-panel.ts'
import { secretsQuery } from './api/workflows.ts'
import { SecretPanel } from './secrets/secret-panel.tsx'
import { SecretTable } from './secrets/secret-table.tsx'

const TITLE = 'Workflow secrets'
const lead = 'Tokens and passwords that HTTP requests of workflows use by name. Their values are never shown.'

/** Value of the panel parameter in the address. Names of secrets have no lower-case letters, so it cannot be a name. */
const NEW = 'new'

function Secrets() {
  const { data: secrets } = useSuspenseQuery(secretsQuery(useOrg()))
  const { panel, open, close } = usePanel()
  const isFull = secrets.length >= SECRETS_MAX
  const reason = isFull ? `There are ${SECRETS_MAX} already: remove one first` : undefined
  const button = (
    <WithReason reason={reason}>
      <Button leftSection={<Plus size={14} aria-hidden />} {...held(reason, () => open(NEW))}>
        New secret
      </Button>
    </WithReason>
  )
  const names = secrets.map(({ name }) => name)
  const replaced = names.find((name) => name === panel)
  return (
    <SettingsPage title={TITLE} lead={lead} actions={secrets.length > 0 && button}>
      {secrets.length > 0 ? (
        <SecretTable secrets={secrets} onReplace={open} />
      ) : (
        <EmptyState icon={LockKeyhole} title="No secrets yet" action={button}>
          Keep tokens here instead of in a workflow: every member can read what runs did, but no one can read
          secrets.
        </EmptyState>
      )}
      {panel === NEW && <SecretPanel taken={names} onClose={close} />}
      {replaced !== undefined && <SecretPanel key={replaced} name={replaced} taken={names} onClose={close} />}
    </SettingsPage>
  )
}

export function WorkflowSecretsPage() {
  const { may } = useOrganization()
  if (may('admin')) return <Secrets />
  return (
    <SettingsPage title={TITLE} lead={lead}>
      <EmptyState icon={Lock} title="Workflow secrets are for owners and admins">
        Ask one of them to set one, or to change your role.
      </EmptyState>
    </SettingsPage>
  )
}
