// An upload: its progress, a button to cancel it, and the reason if it was refused.
import { ActionIcon, Button, Progress, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { formatBytes } from '../../ui/bytes.ts'
import classes from './files.module.css'
import { Thumbnail } from './thumbnail.tsx'
import { dropUpload, retryUpload, type Upload } from './uploads.ts'

function progressText({ share, file }: Upload): string {
  if (share === 0) return 'Waiting'
  if (share === 1) return 'Storing'
  return `${Math.round(share * 100)} % of ${formatBytes(file.size)}`
}

export function UploadRow({ upload }: { upload: Upload }) {
  const client = useQueryClient()
  const { id, file, share, refusal } = upload
  const stop = refusal === undefined ? `Cancel ${file.name}` : `Dismiss ${file.name}`
  return (
    <li className={classes.file} data-refused={refusal !== undefined || undefined}>
      <Thumbnail contentType={file.type} size={file.size} url={undefined} />
      <div className="stack fill gap-2">
        <span className="truncate medium" title={file.name}>
          {file.name}
        </span>
        {refusal === undefined ? (
          <>
            <Progress value={Math.max(2, share * 100)} size={4} aria-label={`Uploading ${file.name}`} />
            <span className="truncate muted tiny tabular">{progressText(upload)}</span>
          </>
        ) : (
          <span className="breakable danger tiny" role="alert">
            <span className="visually-hidden">{file.name}: </span>
            {refusal}
          </span>
        )}
      </div>
      {refusal !== undefined && (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Try again: ${file.name}`}
          onClick={() => retryUpload(client, id)}
        >
          Try again
        </Button>
      )}
      <Tooltip label={refusal === undefined ? 'Cancel' : 'Dismiss'}>
        <ActionIcon size="sm" aria-label={stop} onClick={() => dropUpload(id)}>
          <X size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
