// The result of an invitation: whether the email was sent, and the link to copy.
import { Button, Group, Stack, Text } from '@mantine/core'
import { CodeBox } from '../../../ui/code-box.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import type { SentInvitation } from '../api/members.ts'

const TOLD: Readonly<Record<SentInvitation['mail'], (email: string) => string>> = {
  sent: (email) => `An email with the link is on its way to ${email}. You can also send the link yourself:`,
  kept: (email) => `This installation does not send email: send the link to ${email} yourself.`,
  failed: (email) => `The email to ${email} could not be sent: send the link yourself, or try again later.`,
}

interface InvitationSentProps {
  sent: SentInvitation
  onClose(): void
  onAnother?: () => void
}

export function InvitationSent({ sent, onClose, onAnother }: InvitationSentProps) {
  return (
    <Stack gap="md">
      <Text role="status">{TOLD[sent.mail](sent.email)}</Text>
      <CodeBox code={sent.inviteUrl} label="Copy link" wraps />
      <Text c="dimmed">
        The link is shown only once. It works once, for {sent.email}, and expires{' '}
        <TimeAgo value={sent.expiresAt} />.
      </Text>
      <Group justify="flex-end" gap="xs">
        {onAnother && (
          <Button variant="default" onClick={onAnother}>
            Invite another
          </Button>
        )}
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}
