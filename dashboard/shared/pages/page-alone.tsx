// Pages that stand alone, without the frame of an organization around them: they bring their own landmark.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { PagePending } from '../../ui/page-pending.tsx'
import { hasCode } from '../api/errors.ts'
import { NoMembership } from './no-membership.tsx'
import { PageError } from './page-error.tsx'
import { PageNotFound } from './page-not-found.tsx'

function PendingAlone() {
  return (
    <main>
      <PagePending />
    </main>
  )
}

function ErrorAlone(props: ErrorComponentProps) {
  return (
    <main>
      <PageError {...props} />
    </main>
  )
}

export function NotFoundAlone() {
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
    <ErrorAlone {...props} />
  )
}

/** For every route beside and above the frame. */
export const alone = { pendingComponent: PendingAlone, errorComponent: ErrorAlone }
