import { Button } from '@mantine/core'
import { UserPlus } from 'lucide-react'
import { ReadOnlyNote } from '../../components/settings/allowed.tsx'
import { Invitations } from '../../components/settings/people/invitation-table.tsx'
import { InvitePanel } from '../../components/settings/people/invite-panel.tsx'
import { MemberTable } from '../../components/settings/people/member-table.tsx'
import { SettingsPage } from '../../components/settings/settings-page.tsx'
import { useOrganization } from '../../components/use-organization.ts'
import { usePanel } from '../../ui/use-panel.ts'

export function MembersPage() {
  const { organization, may } = useOrganization()
  const { panel, open, close } = usePanel()
  const isAdmin = may('admin')
  return (
    <SettingsPage
      title="Members"
      lead={`Who works in ${organization.name}, and what each of them may do.`}
      width="wide"
      actions={
        isAdmin && (
          <Button leftSection={<UserPlus size={14} aria-hidden />} onClick={() => open('invite')}>
            Invite
          </Button>
        )
      }
    >
      {!isAdmin && <ReadOnlyNote>Only owners and admins invite members and change roles.</ReadOnlyNote>}
      <MemberTable />
      {isAdmin && <Invitations />}
      {isAdmin && panel === 'invite' && <InvitePanel onClose={close} />}
    </SettingsPage>
  )
}
