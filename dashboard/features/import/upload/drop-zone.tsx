// Where a file is dropped or chosen.
import { Box, Button, FileButton, Progress } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { formatBytes } from '../../../ui/bytes.ts'
import classes from '../page/import.module.css'
import type { Upload } from './use-upload.ts'

function Sending({ upload: { sent, stop } }: { upload: Upload }) {
  const { name, share, isPaused } = sent ?? { name: '', share: 0, isPaused: false }
  const percent = Math.round(share * 100)
  const text = share < 1 ? `Uploading ${name}` : `Reading ${name}`
  return (
    <>
      <p className="breakable medium" role="status">
        {isPaused ? `The connection was lost. ${text} continues when it is back` : text}
      </p>
      <Progress value={percent} aria-label={text} w="min(320px, 100%)" animated={share === 1} />
      <Button variant="default" onClick={stop}>
        Cancel upload
      </Button>
    </>
  )
}

const ACCEPT = '.csv,.tsv,.tab,.txt,text/csv,text/tab-separated-values,text/plain'

function Choosing({ upload, maxBytes }: { upload: Upload; maxBytes: number }) {
  const reset = useRef<() => void>(null)
  const choose = (file: File | null) => {
    if (file) upload.start(file)
    // Reset, so that choosing the same file again counts as a change.
    reset.current?.()
  }
  return (
    <>
      <FileUp size={28} strokeWidth={1.5} aria-hidden className="muted" />
      <p className="breakable medium">Drop a file here, or choose one</p>
      <FileButton onChange={choose} accept={ACCEPT} resetRef={reset}>
        {(props) => <Button {...props}>Choose file</Button>}
      </FileButton>
      <p className="muted small">
        Columns separated by commas, semicolons, tabs or vertical bars, up to {formatBytes(maxBytes)}
      </p>
    </>
  )
}

function useDrop(upload: Upload) {
  const [isOver, setOver] = useState(false)
  const allow = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return {
    'data-over': isOver || undefined,
    onDragEnter: allow,
    onDragOver: allow,
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      const file = event.dataTransfer.files.item(0)
      if (file && !upload.sent) upload.start(file)
    },
  }
}

export function DropZone({ upload, maxBytes }: { upload: Upload; maxBytes: number }) {
  const drop = useDrop(upload)
  return (
    <div>
      <div className={classes.drop} {...drop}>
        {upload.sent ? <Sending upload={upload} /> : <Choosing upload={upload} maxBytes={maxBytes} />}
      </div>
      {upload.refusal !== undefined && (
        <Box component="p" className="breakable danger small" mt={8} role="alert">
          {upload.refusal}
        </Box>
      )}
    </div>
  )
}
