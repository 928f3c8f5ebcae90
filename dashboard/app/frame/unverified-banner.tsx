// A banner above every page while the email address of a user who may invite is not confirmed: what is locked, and how
// to confirm the address.
import { Box, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MailWarning } from 'lucide-react'
import { installationQuery, sendVerificationMail } from '../../features/identity/api.ts'
import { KeptLink } from '../../features/identity/kept-link.tsx'
import { toast, toastError } from '../../shared/toast.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { useSubmit } from '../../shared/use-submit.ts'

function useResend(email: string) {
  return useSubmit((_: undefined) =>
    sendVerificationMail().then(() => toast(`A new link was created for ${email}`), toastError),
  )
}

export function UnverifiedBanner() {
  const { user, may } = useOrganization()
  const { data: installation } = useQuery(installationQuery())
  const { submit, isBusy } = useResend(user.email)
  if (user.emailVerified || !may('admin') || !installation) return null
  return (
    <aside className="row wrap gap-8 small sunken strip" aria-label="Email address not confirmed">
      <MailWarning size={16} aria-hidden />
      <Box component="span" flex="1 1 200px">
        <strong>Confirm your email address</strong> to invite people and send email.{' '}
        {installation.sendsMail ? (
          `Follow the link that was sent to ${user.email}.`
        ) : (
          <>
            This installation does not send email: it keeps messages. <KeptLink email={user.email} />
          </>
        )}
      </Box>
      <Button variant="default" size="xs" loading={isBusy} onClick={() => void submit(undefined)}>
        {installation.sendsMail ? 'Send a new link' : 'Create a new link'}
      </Button>
    </aside>
  )
}
