import { useSuspenseQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { SettingsPage } from '../../ui/sections.tsx'
import { privacyRequestsQuery } from './api/privacy.ts'
import { ErasureTable } from './privacy/erasure-table.tsx'

const lead =
  'Erasures and downloaded archives of records: who asked for them, when, and how much was removed. No value of a record is kept here.'

function Erasures() {
  const { data } = useSuspenseQuery(privacyRequestsQuery(useOrg()))
  return (
    <SettingsPage title="Privacy" lead={lead}>
      <ErasureTable requests={data.requests} />
    </SettingsPage>
  )
}

export function PrivacyPage() {
  const { may } = useOrganization()
  if (may('admin')) return <Erasures />
  return (
    <SettingsPage title="Privacy" lead={lead}>
      <EmptyState icon={Lock} title="Privacy is for owners and admins">
        Ask one of them to erase a record.
      </EmptyState>
    </SettingsPage>
  )
}
