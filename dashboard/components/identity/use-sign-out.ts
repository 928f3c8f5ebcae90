import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../../api/identity.ts'
import { toastError } from '../../ui/toast.ts'
import { forgetDrafts } from '../drafts/draft-store.ts'
import { forgetAllRefused } from '../records/refused-values.ts'

/** @returns a function that ends the session and forgets what it showed; `to`: a link that needs another user */
export function useSignOut(): (to?: string) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (to) => {
    try {
      await signOut()
      forgetDrafts()
      forgetAllRefused()
      await navigate({ to: '/sign-in', search: to === undefined ? {} : { from: to } })
      client.clear()
    } catch (error) {
      toastError(error)
    }
  }
}
