// A drop target around a record or an activity. Dropped and pasted files are attached to it.
import type { ReactNode } from 'react'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import { useFilePaste } from '../../ui/use-file-paste.ts'
import type { Subject } from './api.ts'
import classes from './files.module.css'
import { useAttach } from './use-uploads.ts'

interface DropAreaProps {
  subject: Subject
  /** The name in the text "Drop files to add them to …". */
  name: string
  isReadOnly?: boolean
  /** Whether pasted files are attached. Entries of a list cannot have the focus, so they do not take pasted files. */
  withPaste?: boolean
  className?: string | undefined
  children: ReactNode
}

export function DropArea({
  subject,
  name,
  isReadOnly = false,
  withPaste = true,
  className,
  children,
}: DropAreaProps) {
  const attach = useAttach(subject)
  const take = isReadOnly ? undefined : attach
  const { isOver, place } = useFileDrop(take)
  useFilePaste(withPaste ? take : undefined)
  return (
    <div className={`relative ${className ?? ''}`} {...place}>
      {children}
      {isOver && (
        <div className={classes.overlay} role="status">
          <span>Drop files to add them to {name}</span>
        </div>
      )}
    </div>
  )
}
