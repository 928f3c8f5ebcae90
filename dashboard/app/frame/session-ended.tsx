// One dialog over every page to sign in again after the session has ended. The page behind it stays unchanged, and
// waiting requests continue after sign-in.
import { useEffect, useSyncExternalStore } from 'react'
import { guard, hasEnded, onChange } from '../../shared/api/session-guard.ts'
import { later, Nothing } from '../../ui/later.tsx'

// The dialog opens without a user action, so keys that are pressed while it loads belong to the page.
const SignInAgain = later(async () => (await import('./sign-in-again.tsx')).SignInAgain, Nothing)

export function SessionEnded() {
  useEffect(guard, [])
  const isOver = useSyncExternalStore(onChange, hasEnded)
  return isOver ? <SignInAgain /> : null
}
