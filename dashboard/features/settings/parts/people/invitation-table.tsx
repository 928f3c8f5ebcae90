// Invitations that are neither accepted nor cancelled.
import { Button, Group } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../../../shared/confirm-dialog.tsx'
import { toastError } from '../../../../shared/toast.ts'
import { useOrganization } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { WithReason } from '../../../../ui/allowed.tsx'
import classes from '../../../../ui/data-table.module.css'
import { Section } from '../../../../ui/sections.tsx'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { ColumnMoment } from '../../../../ui/time.tsx'
import { ROLE_NAMES } from '../../../identity/roles.ts'
import {
  cancelInvitation,
  type Invitation,
  invitationsQuery,
  resendInvitation,
  type SentInvitation,
} from '../../api/members.ts'
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
          data-disabled={!isOpen || undefined}
          aria-disabled={!isOpen}
          aria-description={reason}
          onClick={() => isOpen && void submit(invitation.id)}
          aria-label={`Send again to ${invitation.email}`}
        >
          Send again
        </Button>
      </WithReason>
      <WithReason reason={reason}>
        <Button
          variant="subtle"
          color="gray"
          data-disabled={!isOpen || undefined}
          aria-disabled={!isOpen}
          aria-description={reason}
          onClick={() => isOpen && onCancel()}
          aria-label={`Cancel the invitation of ${invitation.email}`}
        >
          Cancel
        </Button>
      </WithReason>
    </Group>
  )
}

function InvitationRow(props: RowProps) {
  const { email, role, state, invitedBy, sentAt, expiresAt } = props.invitation
  return (
    <tr>
      <th scope="row">
        <span className={classes.cut} title={email}>
          {email}
        </span>
        <span className={`${classes.cut} ${classes.second}`}>
          {ROLE_NAMES[role].label}, invited by {invitedBy.name} <ColumnMoment value={sentAt} />
        </span>
      </th>
      <td className={`${classes.wide} ${classes.fit}`}>
        {state === 'expired' ? (
          <span className="tag warning tiny">Expired</span>
        ) : (
          <>
            Expires <ColumnMoment value={expiresAt} />
          </>
        )}
      </td>
      <td className={classes.rowAction}>
        <Actions {...props} />
      </td>
    </tr>
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
  return (
    <Section title="Invitations" description="Pending invitations; each link works once, for a week.">
      <table className={classes.table}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Email and role</th>
            <th scope="col" className={classes.wide}>
              State
            </th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              onSent={setSent}
              onCancel={() => setCancelled(invitation)}
            />
          ))}
        </tbody>
      </table>
      <Dialogs sent={sent} cancelled={cancelled} onClose={close} />
    </Section>
  )
}
