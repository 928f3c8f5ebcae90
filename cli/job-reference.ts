// The .job file next to an imported file, with the job that imports it. It exists until the command has ended. If the
// command is killed, the same command continues the job later, and no row is written twice.
import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { errorCode } from '../server/base/error-code.ts'
import { isObject, MalformedJson, parseJson } from '../server/base/json.ts'

export interface SourceFile {
  path: string
  size: number
  /** SHA-256. */
  digest: string
}

/** @throws Error that names the file */
export const statFile = (path: string): Promise<Stats> =>
  stat(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}. Check the path and its permissions`)
  })

/** Reads the file once for its digest, because a later command must send the same bytes. @throws Error with the file */
export async function openSource(path: string, signal?: AbortSignal): Promise<SourceFile> {
  const info = await statFile(path)
  if (!info.isFile()) throw new Error(`${path} is not a file: write its content to one first`)
  if (info.size === 0) throw new Error(`${path} is empty: choose a file with at least one line`)
  const digest = createHash('sha256')
  for await (const bytes of createReadStream(path)) {
    signal?.throwIfAborted()
    digest.update(bytes as Buffer)
  }
  return { path, size: info.size, digest: digest.digest('hex') }
}

export interface JobReference {
  jobId: string
  /** Fingerprint of the file, its organization and the options. */
  fingerprint: string
  /** The organization's id; commands of earlier versions did not store it. */
  orgId?: string | undefined
}

export const fingerprintOf = ({ size, digest }: SourceFile, asked: object): string =>
  createHash('sha256')
    .update(JSON.stringify([size, digest, asked]))
    .digest('hex')

export const jobReferencePath = ({ path }: Pick<SourceFile, 'path'>): string => `${path}.job`

function read(text: string): JobReference | undefined {
  try {
    const value = parseJson(text)
    if (!isObject(value)) return undefined
    const { jobId, fingerprint, orgId } = value
    if (typeof jobId !== 'string' || typeof fingerprint !== 'string') return undefined
    return { jobId, fingerprint, ...(typeof orgId === 'string' && { orgId }) }
  } catch (error) {
    // No command wrote this text: commands write complete .job files.
    if (error instanceof MalformedJson) return undefined
    throw error
  }
}

export const deleteJobReference = (source: SourceFile): Promise<void> =>
  rm(jobReferencePath(source), { force: true })

export async function readJobReference(source: SourceFile): Promise<JobReference | undefined> {
  const text = await readFile(jobReferencePath(source), 'utf8').catch((error: Error) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  if (text === undefined) return undefined
  const reference = read(text)
  if (!reference) await deleteJobReference(source)
  return reference
}

/** Writes a .job file atomically: an incomplete one would be ignored, and its file would be imported twice. */
async function writeNew(path: string, reference: JobReference): Promise<void> {
  const draft = `${path}.${reference.jobId}`
  try {
    await writeFile(draft, `${JSON.stringify(reference)}\n`, { flag: 'wx', flush: true })
    await link(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** The .job file cannot be written. */
export class JobReferenceError extends Error {}

/** Refuses the second of two commands that start together. @throws Error that names the file, JobReferenceError */
export async function writeJobReference(source: SourceFile, reference: JobReference): Promise<void> {
  const path = jobReferencePath(source)
  await writeNew(path, reference).catch((error: Error) => {
    throw errorCode(error) === 'EEXIST'
      ? new Error(`${path} is there already, another command imports this file: wait for its end`)
      : new JobReferenceError(`${path} cannot be written (${error.message})`)
  })
}
