import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { hasCode } from '../api/errors.ts'
import { ErrorState } from '../state.tsx'
import { GoHome } from './go-home.tsx'

/** A page that could not be loaded or drawn. What is not there is not tried again. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const action = hasCode(error, 'not_found') ? <GoHome /> : undefined
  return <ErrorState error={error} onRetry={retry} action={action} isPage />
}
