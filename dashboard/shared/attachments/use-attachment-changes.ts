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
  const showName = (id: string, name: string) =>
    show((all) => all.map((one) => (one.id === id ? { ...one, name } : one)))
  /** @param before the file before it was renamed @param name the name that it got */
  const unrename = async ({ id, ...before }: Attachment, name: string) => {
    const files = await client.fetchQuery({ ...attachmentsQuery(org, subject), staleTime: 0 })
    const current = files.find((one) => one.id === id)
    if (!current) return `${name} was removed since`
    if (current.name !== name) return `${name} was renamed to ${current.name} since, and keeps that name`
    await showName(id, before.name)
    await renameAttachment(org, subject, { id, name: before.name }).finally(refresh)
    return undefined
  }
  const rename = async (file: Attachment, wanted: string) => {
    const { id } = file
    await showName(id, wanted)
    await attempt(async () => {
      const { name } = await renameAttachment(org, subject, { id, name: wanted })
      const label = `${file.name} was renamed to ${name}`
      pushUndo({ label, isQuiet: true, undo: () => unrename(file, name) })
    })
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
