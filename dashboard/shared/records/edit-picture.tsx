// Sets the picture of a record, by click or drop.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { PictureButton } from '../../ui/picture-button.tsx'
import { smallPicture } from '../../ui/small-picture.ts'
import { toastUndo } from '../../ui/undo-toast.tsx'
import { uploadFile } from '../api/file-uploads.ts'
import { deletePicture, type PicturedRecord, putPicture, recordPictureQuery } from '../api/record-pictures.ts'
import { uploadRefusal } from '../attachments/upload-refusal.ts'
import { toastError } from '../toast.ts'
import { useOrg } from '../use-organization.ts'
import { isRoundIn, useRecordPicture } from './record-picture.tsx'

/**
 * Scales a picture down, uploads it and passes its address to `put`. @param fit `cover` crops to a square, `contain`
 * keeps all
 */
export function usePictureUpload(fit: 'cover' | 'contain', put: (url: string) => Promise<unknown>) {
  const org = useOrg()
  const [isBusy, setBusy] = useState(false)
  const pick = async (file: File) => {
    setBusy(true)
    try {
      const small = await smallPicture(file, fit)
      const sending = { signal: new AbortController().signal, onProgress: () => undefined }
      await put(await uploadFile(org, small, sending))
    } catch (error) {
      toastError(new Error(uploadRefusal(error)))
    }
    setBusy(false)
  }
  return { isBusy, pick }
}

/** The address of a picture; null: there is none. */
type Source = string | null

interface ChangedPicture {
  /** How the toast names it: "Your picture". */
  subject: string
  current(): Promise<Source>
  /** Sets the picture; null removes it. */
  show(url: Source): Promise<unknown>
}

/** Changes the picture, with Undo if it is known which one was there. @throws what `show` throws */
export async function changePicture(
  after: Source,
  { subject, current, show }: ChangedPicture,
): Promise<void> {
  const before = await current().catch(() => undefined)
  await show(after)
  if (before === undefined) return
  const change = after === null ? 'removed' : before === null ? 'added' : 'replaced'
  toastUndo(`${subject} was ${change}`, () => void show(before).catch(toastError))
}

function useChange(record: PicturedRecord, name: string) {
  const org = useOrg()
  const client = useQueryClient()
  const query = recordPictureQuery(org, record.id)
  const show = async (url: Source) => {
    try {
      await (url === null ? deletePicture(org, record) : putPicture(org, record, url))
    } finally {
      await client.invalidateQueries({ queryKey: query.queryKey })
    }
  }
  // A colleague may have changed it since the page was loaded.
  const current = () => client.fetchQuery({ ...query, staleTime: 0 })
  return (after: Source) => changePicture(after, { subject: `The picture of ${name}`, current, show })
}

interface EditPictureProps {
  record: PicturedRecord
  name: string
  isReadOnly: boolean
}

export function EditPicture({ record, name, isReadOnly }: EditPictureProps) {
  const src = useRecordPicture(record.id)
  const isRound = isRoundIn(record.object)
  const change = useChange(record, name)
  const { isBusy, pick } = usePictureUpload(isRound ? 'cover' : 'contain', change)
  if (isReadOnly) return <Avatar name={name} src={src} size={48} isRound={isRound} />
  return (
    <PictureButton
      name={name}
      src={src}
      size={48}
      isRound={isRound}
      isBusy={isBusy}
      onPick={(file) => void pick(file)}
      onRemove={() => void change(null).catch(toastError)}
    />
  )
}
