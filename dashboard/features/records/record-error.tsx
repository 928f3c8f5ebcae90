// Shown instead of a record that cannot be loaded.
import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useParams } from '@tanstack/react-router'
import { FileX2 } from 'lucide-react'
import { hasCode } from '../../shared/api/errors.ts'
import { PageError } from '../../shared/pages/page-error.tsx'
import { recordPaths } from '../../shared/paths.ts'
import { EmptyState } from '../../shared/state.tsx'
import { Page } from '../../ui/page.tsx'

export function RecordError(props: ErrorComponentProps) {
  const { org = '', object = '' } = useParams({ strict: false })
  if (!hasCode(props.error, 'not_found')) return <PageError {...props} />
  return (
    <Page title="Not found">
      <EmptyState
        icon={FileX2}
        title="Record not found"
        action={
          <Button variant="default" component={Link} to={recordPaths.object(org, object)}>
            Back to the list
          </Button>
        }
      >
        It was deleted, or the address belongs to another organization.
      </EmptyState>
    </Page>
  )
}
