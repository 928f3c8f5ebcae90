// Shows why there are no results, with actions.
import { Button, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { hasCode, messageOf } from '../../../shared/api/errors.ts'
import { asSentence } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { reportPaths } from '../paths.ts'

interface NoteProps {
  title: string
  children: ReactNode
  actions?: ReactNode
}

function Note({ title, children, actions }: NoteProps) {
  return (
    <div className="note" role="alert">
      <TriangleAlert className="danger" size={16} aria-hidden />
      <Stack gap={4}>
        <strong className="danger">{title}</strong>
        <p>{children}</p>
        {actions && (
          <Group gap="xs" mt={8}>
            {actions}
          </Group>
        )}
      </Stack>
    </div>
  )
}

/** A run that could not be started. */
export function NotStarted({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const isBusy = hasCode(error, 'report_busy')
  return (
    <Note
      title={isBusy ? 'Other reports are running' : 'The report was not run'}
      actions={
        <Button variant="default" onClick={onRetry}>
          Run again
        </Button>
      }
    >
      {isBusy
        ? 'An organization runs one report at a time, and this one waited too long. Run it again when the others are done.'
        : asSentence(messageOf(error))}
    </Note>
  )
}

/** A failed run. @param error message of the service, which says what to do */
export function RunFailed({
  reportId,
  error,
  onRetry,
}: {
  reportId: string
  error: string | null
  onRetry(): void
}) {
  const org = useOrg()
  return (
    <Note
      title="This run failed"
      actions={
        <>
          <Button variant="default" onClick={onRetry}>
            Run again
          </Button>
          <Button variant="default" component={Link} to={reportPaths.editReport(org, reportId)}>
            Edit report
          </Button>
        </>
      }
    >
      {asSentence(error ?? 'No reason was recorded')}
    </Note>
  )
}
