// The picture of a record, shown next to its name. One request loads the pictures of a whole page.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { recordPictureQuery } from '../api/record-pictures.ts'
import { useOrg } from '../use-organization.ts'

/** undefined while it is loading; null if there is none. */
export const useRecordPicture = (recordId: string): string | null | undefined =>
  useQuery(recordPictureQuery(useOrg(), recordId)).data

export const isRoundIn = (objectSlug: string): boolean => objectSlug === 'people'

interface RecordAvatarProps {
  /** The object's slug. */
  object: string
  recordId: string
  name: string
  size: 16 | 20 | 24
}

export function RecordAvatar({ object, recordId, name, size }: RecordAvatarProps) {
  return <Avatar name={name} src={useRecordPicture(recordId)} size={size} isRound={isRoundIn(object)} />
}

/** @param children shown while there is no picture, such as the icon of the object */
export function PictureOr({
  object,
  recordId,
  name,
  size = 16,
  children,
}: Omit<RecordAvatarProps, 'size'> & { size?: 16 | 20; children: ReactNode }) {
  const src = useRecordPicture(recordId)
  if (typeof src !== 'string') return children
  return <Avatar name={name} src={src} size={size} isRound={isRoundIn(object)} />
}
