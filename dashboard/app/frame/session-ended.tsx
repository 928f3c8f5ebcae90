// Over every page once the session has ended: one dialog to sign in again. The page behind it stays as it is, and
// requests that waited go on.
import { useEffect, useSyncExternalStore } from 'react'
import { guard, hasEnded, onChange } from '../../shared/api/session-guard.ts'
import { later, Nothing } from '../../ui/later.tsx'

// It opens by itself: what is typed meanwhile is meant for the page.
const SignInAgain = later(async () => (await import('./sign-in-again.tsx')).SignInAgain, Nothing)

export function SessionEnded() {
  useEffect(guard, [])
  const isOver = useSyncExternalStore(onChange, hasEnded)
  return isOver ? <SignInAgain /> : null
}
