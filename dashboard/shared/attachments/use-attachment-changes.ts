// Renaming and removing files: seen at once, taken back when the service refuses.
import { useQueryClient } from '@tanstack/react-query'
import { toastUndo } from '../../ui/undo-toast.tsx'
import { hasCode } from '../api/errors.ts'
import { toastError } from '../toast.ts'
import { useOrg } from '../use-organization.ts'
import { type Attachment, attach, attachmentsQuery, detach, renameAttachment, type Subject } from './api.ts'

export function useAttachmentChanges(subject: Subject) {
  const org = useOrg()
  const client = useQueryClient()
  const { queryKey } = attachmentsQuery(org, subject)
  const refresh = () => client.invalidateQueries({ queryKey })
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
  const takeBack = ({ url, name }: Attachment) => attempt(() => attach(org, subject, { url, name }))
  const remove = async (attachment: Attachment) => {
    await show((all) => all.filter(({ id }) => id !== attachment.id))
    await attempt(async () => {
      await detach(org, subject, attachment.id).catch((error) => {
        // Another person removed it: that is the wanted result.
        if (!hasCode(error, 'not_found')) throw error
      })
      toastUndo(`${attachment.name} was removed`, () => void takeBack(attachment))
    })
  }
  return { rename, remove }
}
