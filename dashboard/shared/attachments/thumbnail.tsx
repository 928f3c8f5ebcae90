// A thumbnail of a file, or the icon of its kind.
import { useState } from 'react'
import { fileIcon, hasThumbnail } from './file-kinds.ts'
import classes from './files.module.css'

interface ThumbnailProps {
  contentType: string
  /** In bytes. */
  size: number
  /** undefined while the file has no address yet. */
  url: string | undefined
}

export function Thumbnail({ contentType, size, url }: ThumbnailProps) {
  // A picture that cannot be drawn, such as a damaged one, also gets an icon.
  const [isBroken, setBroken] = useState(false)
  const Icon = fileIcon(contentType)
  if (url === undefined || isBroken || !hasThumbnail(contentType, size))
    return (
      <span className={classes.thumbnail}>
        <Icon size={16} aria-hidden />
      </span>
    )
  return (
    <span className={classes.thumbnail}>
      <img src={url} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
    </span>
  )
}
