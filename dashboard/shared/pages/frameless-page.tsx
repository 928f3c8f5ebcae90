// Pages outside the frame of an organization. They have their own landmark.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { PagePending } from '../../ui/page-pending.tsx'
import { hasCode } from '../api/errors.ts'
import { NoMembership } from './no-membership.tsx'
import { PageError } from './page-error.tsx'
import { PageNotFound } from './page-not-found.tsx'

function FramelessPending() {
  return (
    <main>
      <PagePending />
    </main>
  )
}

function FramelessError(props: ErrorComponentProps) {
  return (
    <main>
      <PageError {...props} />
    </main>
  )
}

export function FramelessNotFound() {
  return (
    <main>
      <PageNotFound />
    </main>
  )
}

/** The organization does not exist, or the user is not a member. */
export function OrganizationError(props: ErrorComponentProps) {
  const { error } = props
  return hasCode(error, 'not_found') && 'organization' in error.details ? (
    <NoMembership />
  ) : (
    <FramelessError {...props} />
  )
}

/** Options of every route outside the frame. */
export const frameless = { pendingComponent: FramelessPending, errorComponent: FramelessError }
