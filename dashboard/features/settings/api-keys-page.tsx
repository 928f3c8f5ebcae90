import { Anchor, Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { KeyRound, Lock, Plus } from 'lucide-react'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { SettingsPage } from '../../ui/sections.tsx'
import { usePanel } from '../../ui/use-panel.ts'
import { apiKeysQuery } from './api/api-keys.ts'
import { KeyTable } from './keys/key-table.tsx'
import { NewKeyPanel } from './keys/new-key-panel.tsx'

const lead = (
  <>
    Keys let programs read and write this organization’s data through the <Anchor href="/docs">API</Anchor>.
  </>
)

function NewKeyButton({ onClick }: { onClick(): void }) {
  return (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={onClick}>
      New key
    </Button>
  )
}

function Keys() {
  const { data: keys } = useSuspenseQuery(apiKeysQuery(useOrg()))
  const { panel, open, close } = usePanel()
  const button = <NewKeyButton onClick={() => open('new')} />
  return (
    <SettingsPage title="API keys" lead={lead} actions={keys.length > 0 && button}>
      {keys.length > 0 ? (
        <KeyTable />
      ) : (
        <EmptyState icon={KeyRound} title="No API keys yet" action={button}>
          Create one for each program, with only the permissions it needs: then you can delete one without the
          others.
        </EmptyState>
      )}
      {panel === 'new' && <NewKeyPanel onClose={close} />}
    </SettingsPage>
  )
}

export function ApiKeysPage() {
  const { may } = useOrganization()
  if (may('admin')) return <Keys />
  return (
    <SettingsPage title="API keys" lead={lead}>
      <EmptyState icon={Lock} title="API keys are for owners and admins">
        Ask one of them for a key, or to change your role.
      </EmptyState>
    </SettingsPage>
  )
}
