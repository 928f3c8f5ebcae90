import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ROLES, type Role } from '../../../../../contract/roles.ts'
import { fieldErrors } from '../../../../shared/api/errors.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useOrganization } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { ROLE_NAMES } from '../../../identity/roles.ts'
import { invitationsQuery, invite, type SentInvitation } from '../../api/members.ts'
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

function useInvite(onSent: (sent: SentInvitation) => void) {
  const { organization } = useOrganization()
  const client = useQueryClient()
  return useSubmit(async (body: Invited) => {
    onSent(await invite(organization.slug, body))
    await client.invalidateQueries({ queryKey: invitationsQuery(organization.slug).queryKey })
  })
}

function InviteForm({ onSent, onClose }: { onSent(sent: SentInvitation): void; onClose(): void }) {
  const draft = useDraft<Invited>('invitation', { email: '', role: 'member' })
  const { email, role } = draft.value
  const { submit, isBusy, error } = useInvite((sent) => {
    draft.forget()
    onSent(sent)
  })
  const cancel = () => {
    draft.forget()
    onClose()
  }
  return (
    <DraftForm draft={draft} onSubmit={() => submit({ email, role })}>
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          value={email}
          onChange={({ currentTarget }) => draft.change({ email: currentTarget.value })}
          required
          data-autofocus
          autoComplete="off"
          error={fieldErrors(error).email}
        />
        <RoleField value={role} onChange={(chosen) => draft.change({ role: chosen })} />
        <FormError error={error} fields={['email']} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Send invitation
          </Button>
        </Group>
      </Stack>
    </DraftForm>
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
