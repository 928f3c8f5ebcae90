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

/**
 * @param show makes a picture the current one, and null none
 * @returns how to change it, with a toast that restores the previous one
 */
export function usePictureChange(show: (url: Source) => Promise<unknown>, whose: string) {
  return async (before: Source, after: Source) => {
    await show(after)
    const change = after === null ? 'removed' : before === null ? 'added' : 'replaced'
    toastUndo(`${whose} was ${change}`, () => void show(before).catch(toastError))
  }
}

function useShowPicture(record: PicturedRecord) {
  const org = useOrg()
  const client = useQueryClient()
  return async (url: Source) => {
    try {
      await (url === null ? deletePicture(org, record) : putPicture(org, record, url))
    } finally {
      await client.invalidateQueries({ queryKey: recordPictureQuery(org, record.id).queryKey })
    }
  }
}

interface EditPictureProps {
  record: PicturedRecord
  name: string
  isReadOnly: boolean
}

export function EditPicture({ record, name, isReadOnly }: EditPictureProps) {
  const src = useRecordPicture(record.id)
  const isRound = isRoundIn(record.object)
  const change = usePictureChange(useShowPicture(record), `The picture of ${name}`)
  const before = src ?? null
  const { isBusy, pick } = usePictureUpload(isRound ? 'cover' : 'contain', (url) => change(before, url))
  if (isReadOnly) return <Avatar name={name} src={src} size={48} isRound={isRound} />
  return (
    <PictureButton
      name={name}
      src={src}
      size={48}
      isRound={isRound}
      isBusy={isBusy}
      onPick={(file) => void pick(file)}
      onRemove={() => void change(before, null).catch(toastError)}
    />
  )
}
