// The files of a record or an activity, including uploads in progress, and the button to add files.
import { ActionIcon, FileButton, Skeleton, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Paperclip, Plus } from 'lucide-react'
import { useRef } from 'react'
import { formatCount } from '../../../contract/counted.ts'
import { messageOf } from '../api/errors.ts'
import { useOrg } from '../use-organization.ts'
import { attachmentsQuery, type Subject } from './api.ts'
import { AttachmentRow } from './attachment-row.tsx'
import { UploadRow } from './upload-row.tsx'
import { useAttach, useUploads } from './use-uploads.ts'

interface FileListProps {
  subject: Subject
  /** The reason why the files cannot be changed; undefined if they can. */
  locked?: string | undefined
  /** The level of the heading: h2 on a page, h3 in an entry of a list. */
  heading?: 'h2' | 'h3'
}

function AddButton({ subject, locked }: Pick<FileListProps, 'subject' | 'locked'>) {
  const attach = useAttach(subject)
  const reset = useRef<() => void>(null)
  const choose = (files: File[]) => {
    attach(files)
    // Choosing the same file again must also be a change.
    reset.current?.()
  }
  if (locked !== undefined)
    return (
      <Tooltip label={locked}>
        <ActionIcon size="sm" aria-label="Add files" aria-disabled className="off">
          <Plus size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <FileButton
      multiple
      onChange={choose}
      resetRef={reset}
      inputProps={{ 'aria-label': 'Files to add', tabIndex: -1 }}
    >
      {(props) => (
        <Tooltip label="Add files">
          <ActionIcon size="sm" aria-label="Add files" data-add {...props}>
            <Plus size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  )
}

function Content({ subject, locked }: FileListProps) {
  const { data, error } = useQuery(attachmentsQuery(useOrg(), subject))
  const uploads = useUploads(subject)
  if (error && !data) return <p className="muted small">{messageOf(error)}</p>
  if (!data) return <Skeleton height={32} my={4} aria-label="Loading files" />
  if (data.length === 0 && uploads.length === 0)
    return (
      <p className="muted small">
        {locked === undefined ? 'Drop files here, paste a picture, or add one.' : 'None'}
      </p>
    )
  return (
    <ul aria-label="Files">
      {data.map((attachment) => (
        <AttachmentRow key={attachment.id} subject={subject} attachment={attachment} locked={locked} />
      ))}
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  )
}

export function FileList({ subject, locked, heading: Heading = 'h2' }: FileListProps) {
  const { data } = useQuery(attachmentsQuery(useOrg(), subject))
  return (
    <section
      className="shrink"
      // A page may show several activities, so their file lists are not landmarks.
      aria-label={'activityId' in subject ? undefined : 'Files'}
    >
      <header className="group-head">
        <Paperclip size={14} aria-hidden />
        <Heading>Files</Heading>
        {data !== undefined && data.length > 0 && (
          <span className="tiny tabular">{formatCount(data.length)}</span>
        )}
        <AddButton subject={subject} locked={locked} />
      </header>
      <Content subject={subject} locked={locked} />
    </section>
  )
}
