import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { PagePending } from '../../ui/page-pending.tsx'
import { hasCode, isTransient } from '../api/errors.ts'
import { readVisitor } from '../api/session.ts'
import { ErrorState } from '../state.tsx'
import { GoHome } from './go-home.tsx'
import { usePageFault } from './use-page-fault.ts'

const LOOK_MS = 5000

/** Polls until the service responds, then retries. The page stays unchanged until then. */
function useComeback(isAway: boolean, retry: () => void): void {
  const onBack = useEffectEvent(retry)
  useEffect(() => {
    if (!isAway) return undefined
    const look = () =>
      void readVisitor().then(
        () => onBack(),
        () => undefined,
      )
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [isAway])
}

/** The error of a page that could not be loaded or rendered. A missing page is not retried. */
export function PageError(props: ErrorComponentProps) {
  const { error } = props
  const { fault, isReloading, retry } = usePageFault(props)
  useComeback(isTransient(error), retry)
  const action = hasCode(error, 'not_found') ? <GoHome /> : undefined
  if (isReloading) return <PagePending />
  return <ErrorState error={fault} onRetry={retry} action={action} isPage />
}
