import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { EmptyState } from '../ui/state.tsx'

export function PageNotFound() {
  return (
    <EmptyState
      icon={Compass}
      title="There is no page here"
      action={
        <Button variant="default" component={Link} to="/">
          Go home
        </Button>
      }
    >
      The address may be mistyped, what it names may be deleted, or it belongs to an organization you are not
      a member of.
    </EmptyState>
  )
}
