// Renames and removes files. The change is shown before the service responds, and reverted if the service refuses it.
import { useQueryClient } from '@tanstack/react-query'
import { hasCode } from '../api/errors.ts'
import { toastError } from '../toast.ts'
import { pushUndo } from '../undo/undo-stack.ts'
import { useOrg } from '../use-organization.ts'
import {
  type Attachment,
  attachmentsKey,
  attachmentsQuery,
  detach,
  renameAttachment,
  restoreAttachment,
  type Subject,
} from './api.ts'

export const restoredText = ({ name }: Pick<Attachment, 'name'>): string => `${name} was restored`

export function useAttachmentChanges(subject: Subject) {
  const org = useOrg()
  const client = useQueryClient()
  const { queryKey } = attachmentsQuery(org, subject)
  // All file queries, also that of the trash.
  const refresh = () => client.invalidateQueries({ queryKey: attachmentsKey(org) })
  const show = async (edit: (all: Attachment[]) => Attachment[]) => {
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (all) => all && edit(all))
  }
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      toastError(error)
    }
    await refresh()
  }
  const rename = async ({ id }: Attachment, name: string) => {
    await show((all) => all.map((one) => (one.id === id ? { ...one, name } : one)))
    await attempt(() => renameAttachment(org, subject, { id, name }))
  }
  const remove = async ({ id, name }: Attachment) => {
    await show((all) => all.filter((one) => one.id !== id))
    await attempt(async () => {
      await detach(org, subject, id).catch((error) => {
        // Another person has already removed the file, which is the wanted result.
        if (!hasCode(error, 'not_found')) throw error
      })
      const undo = () => restoreAttachment(org, id).then(restoredText).finally(refresh)
      pushUndo({ label: `${name} was removed`, undo })
    })
  }
  return { rename, remove }
}
