// Pages without the frame of an organization around them: they have their own landmark.
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

/** The organization itself is not there, or not for this user. */
export function OrganizationError(props: ErrorComponentProps) {
  const { error } = props
  return hasCode(error, 'not_found') && 'organization' in error.details ? (
    <NoMembership />
  ) : (
    <FramelessError {...props} />
  )
}

/** For every route outside the frame. */
export const frameless = { pendingComponent: FramelessPending, errorComponent: FramelessError }
