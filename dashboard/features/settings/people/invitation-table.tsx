// Invitations that are neither accepted nor cancelled.
import { Button, Group } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { toastError } from '../../../shared/toast.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { WithReason } from '../../../ui/allowed.tsx'
import { Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { held } from '../../../ui/held.ts'
import { Section } from '../../../ui/sections.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { ROLE_NAMES } from '../../identity/roles.ts'
import {
  cancelInvitation,
  type Invitation,
  invitationsQuery,
  resendInvitation,
  type SentInvitation,
} from '../api/members.ts'
import { isRoleToGive } from './member-rules.ts'
import { InvitationSent } from './sent-invitation.tsx'

const useRefresh = () => {
  const { organization } = useOrganization()
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: invitationsQuery(organization.slug).queryKey })
}

function useResend(onSent: (sent: SentInvitation) => void) {
  const { organization } = useOrganization()
  const refresh = useRefresh()
  return useSubmit(async (id: string) => {
    await resendInvitation(organization.slug, id).then(onSent, toastError)
    await refresh()
  })
}

function CancelInvitation({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const { organization } = useOrganization()
  const refresh = useRefresh()
  const cancel = async () => {
    await cancelInvitation(organization.slug, invitation.id)
    await refresh()
  }
  return (
    <ConfirmDialog
      title={`Cancel the invitation of ${invitation.email}?`}
      confirm="Cancel invitation"
      onConfirm={cancel}
      onClose={onClose}
    >
      Its link stops working immediately.
    </ConfirmDialog>
  )
}

interface RowProps {
  invitation: Invitation
  onSent(sent: SentInvitation): void
  onCancel(): void
}

function Actions({ invitation, onSent, onCancel }: RowProps) {
  const { organization } = useOrganization()
  const { submit, isBusy } = useResend(onSent)
  const isOpen = isRoleToGive(organization.role, invitation.role)
  const reason = isOpen ? undefined : 'Only owners can change invitations of owners'
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <WithReason reason={reason}>
        <Button
          variant="default"
          loading={isBusy}
          {...held(reason, () => void submit(invitation.id))}
          aria-label={`Send again to ${invitation.email}`}
        >
          Send again
        </Button>
      </WithReason>
      <WithReason reason={reason}>
        <Button
          variant="subtle"
          color="gray"
          {...held(reason, onCancel)}
          aria-label={`Cancel the invitation of ${invitation.email}`}
        >
          Cancel
        </Button>
      </WithReason>
    </Group>
  )
}

function Person({ invitation: { email, role, invitedBy, sentAt } }: Pick<RowProps, 'invitation'>) {
  return (
    <>
      <Line>{email}</Line>
      <SecondLine>
        {ROLE_NAMES[role].label}, invited by {invitedBy.name} <ColumnTime value={sentAt} />
      </SecondLine>
    </>
  )
}

function Expiry({ invitation: { state, expiresAt } }: Pick<RowProps, 'invitation'>) {
  if (state === 'expired') return <span className="tag warning tiny">Expired</span>
  return (
    <>
      Expires <ColumnTime value={expiresAt} />
    </>
  )
}

function Dialogs({
  sent,
  cancelled,
  onClose,
}: {
  sent: SentInvitation | undefined
  cancelled: Invitation | undefined
  onClose(): void
}) {
  return (
    <>
      {sent && (
        <SidePanel title="Invitation sent again" onClose={onClose} isHeld>
          <InvitationSent sent={sent} onClose={onClose} />
        </SidePanel>
      )}
      {cancelled && <CancelInvitation invitation={cancelled} onClose={onClose} />}
    </>
  )
}

export function Invitations() {
  const { organization } = useOrganization()
  const { data: invitations } = useSuspenseQuery(invitationsQuery(organization.slug))
  const [sent, setSent] = useState<SentInvitation>()
  const [cancelled, setCancelled] = useState<Invitation>()
  const close = () => {
    setSent(undefined)
    setCancelled(undefined)
  }
  if (invitations.length === 0) return null
  const columns: Columns<Invitation> = [
    { title: 'Email and role', kind: 'name', cell: (one) => <Person invitation={one} /> },
    { title: 'State', isFit: true, onlyWide: true, cell: (one) => <Expiry invitation={one} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (one) => <Actions invitation={one} onSent={setSent} onCancel={() => setCancelled(one)} />,
    },
  ]
  return (
    <Section title="Invitations" description="Pending invitations; each link works once, for a week.">
      <DataTable columns={columns} rows={invitations} isHeadHidden />
      <Dialogs sent={sent} cancelled={cancelled} onClose={close} />
    </Section>
  )
}
