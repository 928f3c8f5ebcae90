import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useOrganization } from '../../shared/use-organization.ts'
import { ReadOnlyNote } from '../../ui/allowed.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { usePanel } from '../../ui/use-panel.ts'
import { DeletedObjects } from './objects/deleted-objects.tsx'
import { NewObjectPanel } from './objects/new-object-panel.tsx'
import { ObjectTable } from './objects/object-table.tsx'

export function ObjectsPage() {
  const { may } = useOrganization()
  const { panel, open, close } = usePanel()
  const isAdmin = may('admin')
  return (
    <SettingsPage
      title="Objects"
      lead="The kinds of records the organization keeps, each with its own attributes."
      actions={
        isAdmin && (
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => open('new')}>
            New object
          </Button>
        )
      }
    >
      {!isAdmin && <ReadOnlyNote>Only owners and admins can change objects and attributes.</ReadOnlyNote>}
      <ObjectTable />
      {isAdmin && <DeletedObjects />}
      {isAdmin && panel === 'new' && <NewObjectPanel onClose={close} />}
    </SettingsPage>
  )
}
