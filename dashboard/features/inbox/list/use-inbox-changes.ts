// Changes the inbox, then reloads all of its lists.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NotificationPatch } from '../../../../contract/notifications.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { deleteNotification, inboxKey, markAllRead, patchNotification } from '../api.ts'

export function useInboxChanges() {
  const org = useOrg()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onError: (error) => toastError(error),
    onSettled: () => client.invalidateQueries({ queryKey: inboxKey(org) }),
  })
  return {
    change: (id: string, patch: NotificationPatch) => mutate(() => patchNotification(org, id, patch)),
    remove: (id: string) => mutate(() => deleteNotification(org, id)),
    readAll: () => mutate(() => markAllRead(org)),
  }
}
