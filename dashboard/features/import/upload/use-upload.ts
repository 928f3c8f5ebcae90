// An upload, one at a time: its progress, its refusal, and a function that stops it.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../../shared/api/errors.ts'
import { formatBytes } from '../../../ui/bytes.ts'
import { type Import, importQuery, uploadImport } from '../api.ts'
import { draftLike } from '../map/mapping.ts'
import { useImportDrafts } from '../page/drafts.ts'
import { useImportPage } from '../page/use-import-page.ts'
import { refusalOf } from './file-facts.ts'

interface Sent {
  name: string
  /** Uploaded share from 0 to 1; 1 while the service reads the file. */
  share: number
  /** Whether the upload waits for the connection. */
  isPaused: boolean
}

export interface Upload {
  sent: Sent | undefined
  refusal: string | undefined
  start(file: File): void
  stop(): void
}

function refusalText(error: unknown, { name }: File, maxBytes: number): string {
  if (error instanceof ApiError && error.status === 413)
    return `${name} is too large: the limit is ${formatBytes(maxBytes)}. Split it and import the parts one after the other.`
  return messageOf(error)
}

/** Opens the import, with the choices of the earlier import that the address names. */
function useOpenUploaded() {
  const { org, object, search, open } = useImportPage()
  const client = useQueryClient()
  const drafts = useImportDrafts()
  return async (file: Import) => {
    client.setQueryData(importQuery(org, file.id).queryKey, file)
    const earlier =
      search.like && (await client.ensureQueryData(importQuery(org, search.like)).catch(() => null))
    const draft = earlier ? draftLike(file, earlier, object) : undefined
    if (draft) drafts.save(file.id, draft)
    open({ import: file.id })
  }
}

/** @param maxBytes maximum size of a file */
export function useUpload(maxBytes: number): Upload {
  const { org, object } = useImportPage()
  const [sent, setSent] = useState<Sent>()
  const [refusal, setRefusal] = useState<string>()
  const stopping = useRef<AbortController>(undefined)
  const openUploaded = useOpenUploaded()
  useEffect(() => () => stopping.current?.abort(), [])
  const send = async (file: File) => {
    const stopper = new AbortController()
    const { signal } = stopper
    stopping.current = stopper
    const onProgress = (share: number) => setSent({ name: file.name, share, isPaused: false })
    const onPause = (isPaused: boolean) => setSent((last) => last && { ...last, isPaused })
    onProgress(0)
    try {
      await openUploaded(await uploadImport(org, object.slug, file, { onProgress, onPause, signal }))
    } catch (error) {
      if (!signal.aborted) setRefusal(refusalText(error, file, maxBytes))
    }
    setSent(undefined)
  }
  const start = (file: File) => {
    const reason = refusalOf(file, maxBytes)
    setRefusal(reason)
    if (reason === undefined) void send(file)
  }
  return { sent, refusal, start, stop: () => stopping.current?.abort() }
}
