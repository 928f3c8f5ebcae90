import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { ReadOnlyNote } from '../../components/settings/allowed.tsx'
import { NewObjectPanel } from '../../components/settings/objects/new-object-panel.tsx'
import { ObjectTable } from '../../components/settings/objects/object-table.tsx'
import { SettingsPage } from '../../components/settings/settings-page.tsx'
import { useOrganization } from '../../components/use-organization.ts'
import { usePanel } from '../../ui/use-panel.ts'

export function ObjectsPage() {
  const { may } = useOrganization()
  const { panel, open, close } = usePanel()
  const isAdmin = may('admin')
  return (
    <SettingsPage
      title="Objects"
      lead="The kinds of records the organization keeps, each with its own attributes."
      width="wide"
      actions={
        isAdmin && (
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => open('new')}>
            New object
          </Button>
        )
      }
    >
      {!isAdmin && <ReadOnlyNote>Only owners and admins change objects and attributes.</ReadOnlyNote>}
      <ObjectTable />
      {isAdmin && panel === 'new' && <NewObjectPanel onClose={close} />}
    </SettingsPage>
  )
}
