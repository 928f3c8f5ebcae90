// What is around a record or an activity: files dropped anywhere on it, and pasted, are attached to it.
import type { ReactNode } from 'react'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import { useFilePaste } from '../../ui/use-file-paste.ts'
import type { Subject } from './api.ts'
import classes from './files.module.css'
import { useAttach } from './use-uploads.ts'

interface DropAreaProps {
  subject: Subject
  /** What it is called: "Drop files to add them to …" */
  name: string
  isReadOnly?: boolean
  /** Whether pasted files are added here: an entry of a list cannot have the focus. */
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
