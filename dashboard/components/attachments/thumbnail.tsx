// A small picture of a file, or the icon of its kind.
import { useState } from 'react'
import { fileIcon, isPicture } from './file-kinds.ts'
import classes from './files.module.css'

interface ThumbnailProps {
  contentType: string
  /** undefined: it is not there yet. */
  url: string | undefined
}

export function Thumbnail({ contentType, url }: ThumbnailProps) {
  // What cannot be drawn, such as a damaged picture, has its icon too.
  const [isBroken, setBroken] = useState(false)
  const Icon = fileIcon(contentType)
  if (url === undefined || isBroken || !isPicture(contentType))
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
