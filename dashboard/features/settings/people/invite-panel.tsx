import { Radio, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ROLES, type Role } from '../../../../contract/roles.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { ROLE_NAMES } from '../../identity/roles.ts'
import { invitationsQuery, invite, type SentInvitation } from '../api/members.ts'
import { isRoleToGive } from './member-rules.ts'
import { InvitationSent } from './sent-invitation.tsx'

function RoleField({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const { organization } = useOrganization()
  return (
    <Radio.Group label="Role" value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap={8} mt={8}>
        {ROLES.map((role) => {
          const isOpen = isRoleToGive(organization.role, role)
          const { label, may } = ROLE_NAMES[role]
          return (
            <Radio
              key={role}
              value={role}
              label={label}
              disabled={!isOpen}
              description={isOpen ? may : 'Only owners can invite owners'}
            />
          )
        })}
      </Stack>
    </Radio.Group>
  )
}

interface Invited {
  email: string
  role: Role
}

function InviteForm({ onSent, onClose }: { onSent(sent: SentInvitation): void; onClose(): void }) {
  const { organization } = useOrganization()
  const client = useQueryClient()
  const form = useDataForm<Invited>({
    draft: 'invitation',
    initial: { email: '', role: 'member' },
    async save(invited, { forget }) {
      const sent = await invite(organization.slug, invited)
      forget()
      onSent(sent)
      await client.invalidateQueries({ queryKey: invitationsQuery(organization.slug).queryKey })
    },
    onClose,
  })
  return (
    <Form form={form}>
      <TextInput
        label="Email"
        type="email"
        {...form.field('email')}
        required
        data-autofocus
        autoComplete="off"
      />
      <RoleField {...form.field('role')} />
      <FormEnd form={form} verb="Send invitation" shown={['email']} />
    </Form>
  )
}

export function InvitePanel({ onClose }: { onClose(): void }) {
  const [sent, setSent] = useState<SentInvitation>()
  return (
    <SidePanel
      title={sent ? 'Invitation created' : 'Invite a member'}
      onClose={onClose}
      isHeld={sent !== undefined}
    >
      {sent ? (
        <InvitationSent sent={sent} onClose={onClose} onAnother={() => setSent(undefined)} />
      ) : (
        <InviteForm onSent={setSent} onClose={onClose} />
      )}
    </SidePanel>
  )
}
