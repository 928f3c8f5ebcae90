// The files in the trash.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { DeletedList } from '../deleted-list.tsx'
import { useOrg } from '../use-organization.ts'
import { attachmentsKey, purgeAttachment, restoreAttachment, trashedAttachmentsQuery } from './api.ts'
import { FilePlace } from './file-place.tsx'
import { restoredText } from './use-attachment-changes.ts'

export function DeletedFiles() {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: attachmentsKey(org) })
  const kind = {
    noun: 'file',
    empty: <p className="muted">No deleted files</p>,
    returns: () => 'It returns to its record or activity, unless that is deleted.',
    restore: (id: string) => restoreAttachment(org, id).then(restoredText).finally(refresh),
    purge: (id: string) => purgeAttachment(org, id).finally(refresh),
  }
  return (
    <DeletedList
      kind={kind}
      query={useInfiniteQuery(trashedAttachmentsQuery(org))}
      itemsOf={({ attachments }) => attachments.map((file) => ({ ...file, place: <FilePlace {...file} /> }))}
    />
  )
}
