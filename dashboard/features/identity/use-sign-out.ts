import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { forgetDrafts } from '../../shared/drafts/draft-store.ts'
import { forgetAllRefused } from '../../shared/records/refused-values.ts'
import { toastError } from '../../shared/toast.ts'
import { signOut } from './api.ts'

/** @returns a function that ends the session and clears its data; `to`: a link to open after the next sign-in */
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
