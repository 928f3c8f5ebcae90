import { Button } from '@mantine/core'
import { UserPlus } from 'lucide-react'
import { useOrganization } from '../../shared/use-organization.ts'
import { ReadOnlyNote } from '../../ui/allowed.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { usePanel } from '../../ui/use-panel.ts'
import { Invitations } from './people/invitation-table.tsx'
import { InvitePanel } from './people/invite-panel.tsx'
import { MemberTable } from './people/member-table.tsx'
import { ReassignmentNotes } from './people/reassignment-notes.tsx'

export function MembersPage() {
  const { organization, may } = useOrganization()
  const { panel, open, close } = usePanel()
  const isAdmin = may('admin')
  return (
    <SettingsPage
      title="Members"
      lead={`Who works in ${organization.name}, and what each of them may do.`}
      actions={
        isAdmin && (
          <Button leftSection={<UserPlus size={14} aria-hidden />} onClick={() => open('invite')}>
            Invite
          </Button>
        )
      }
    >
      {!isAdmin && <ReadOnlyNote>Only owners and admins can invite members and change roles.</ReadOnlyNote>}
      {isAdmin && <ReassignmentNotes />}
      <MemberTable />
      {isAdmin && <Invitations />}
      {isAdmin && panel === 'invite' && <InvitePanel onClose={close} />}
    </SettingsPage>
  )
}
