// Running uploads. They are stored outside the pages, so that they continue when the user opens another page.
import type { QueryClient } from '@tanstack/react-query'
import { uploadFile } from '../api/file-uploads.ts'
import {
  type Attachment,
  attach,
  attachmentsKey,
  attachmentsQuery,
  detach,
  purgeAttachment,
  type Subject,
  subjectKey,
} from './api.ts'
import { uploadRefusal } from './upload-refusal.ts'

export interface Upload {
  id: string
  org: string
  subject: Subject
  file: File
  /** From 0 to 1. */
  share: number
  /** The reason why the upload failed. */
  refusal: string | undefined
}

/** More concurrent uploads would only make each of them slower. */
const CONCURRENT_MAX = 3

let uploads: readonly Upload[] = []
const running = new Map<string, AbortController>()
const listeners = new Set<() => void>()

/** The browser asks before it leaves a page with running uploads. */
const holdPage = (event: BeforeUnloadEvent) => event.preventDefault()

function set(next: readonly Upload[]): void {
  uploads = next
  const isBusy = uploads.some(({ refusal }) => refusal === undefined)
  if (isBusy) addEventListener('beforeunload', holdPage)
  else removeEventListener('beforeunload', holdPage)
  for (const listener of listeners) listener()
}

const change = (id: string, fields: Partial<Upload>) =>
  set(uploads.map((one) => (one.id === id ? { ...one, ...fields } : one)))

const leave = (id: string) => set(uploads.filter((one) => one.id !== id))

/** For useSyncExternalStore. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const uploadsNow = (): readonly Upload[] => uploads

const later = (one: Attachment, other: Attachment) => (one.id < other.id ? -1 : 1)

/** Adds the attached file to the cached list, before the list is read again. */
export function putAttachment(
  client: QueryClient,
  org: string,
  subject: Subject,
  attachment: Attachment,
): void {
  const { queryKey } = attachmentsQuery(org, subject)
  client.setQueryData(
    queryKey,
    (all) => all && [...all.filter(({ id }) => id !== attachment.id), attachment].sort(later),
  )
  void client.invalidateQueries({ queryKey })
}

/**
 * Detaches a file whose upload was cancelled while it was attached, and deletes it from the trash. @returns false if it
 * could not be detached and stays in the list
 */
async function takeBack(client: QueryClient, { org, subject }: Upload, id: string): Promise<boolean> {
  try {
    await detach(org, subject, id)
  } catch {
    return false
  }
  void purgeAttachment(org, id)
    .catch(() => undefined)
    .then(() => client.invalidateQueries({ queryKey: attachmentsKey(org) }))
  return true
}

async function send(client: QueryClient, upload: Upload): Promise<void> {
  const { id, org, subject, file } = upload
  const stopper = new AbortController()
  running.set(id, stopper)
  try {
    const { signal } = stopper
    const url = await uploadFile(org, file, { signal, onProgress: (share) => change(id, { share }) })
    signal.throwIfAborted()
    const attachment = await attach(org, subject, { url, name: nameOf(file) })
    const isTakenBack = signal.aborted && (await takeBack(client, upload, attachment.id))
    if (!isTakenBack) putAttachment(client, org, subject, attachment)
    leave(id)
  } catch (error) {
    if (stopper.signal.aborted) leave(id)
    else change(id, { refusal: uploadRefusal(error) })
  } finally {
    running.delete(id)
    next(client)
  }
}

/** Starts waiting uploads up to the limit. */
function next(client: QueryClient): void {
  for (const one of uploads) {
    if (running.size >= CONCURRENT_MAX) return
    if (one.refusal === undefined && !running.has(one.id)) void send(client, one)
  }
}

const NAME_MAX = 255
const nameOf = ({ name }: File) =>
  [...name.replace(/\p{Cc}/gu, ' ').trim()].slice(-NAME_MAX).join('') || 'File'

/** Uploads are independent: a refused one does not stop the others. */
export function startUploads(
  client: QueryClient,
  org: string,
  { subject, files }: { subject: Subject; files: readonly File[] },
): void {
  const added = files.map((file) => ({
    id: crypto.randomUUID(),
    org,
    subject,
    file,
    share: 0,
    refusal: undefined,
  }))
  set([...uploads, ...added])
  next(client)
}

/** Cancels a running upload, or removes a waiting or refused one from the list. */
export function dropUpload(id: string): void {
  const stopper = running.get(id)
  if (stopper) stopper.abort()
  else leave(id)
}

export function retryUpload(client: QueryClient, id: string): void {
  change(id, { refusal: undefined, share: 0 })
  next(client)
}

export const isOf =
  (org: string, subject: Subject) =>
  (upload: Upload): boolean =>
    upload.org === org && subjectKey(upload.subject) === subjectKey(subject)
