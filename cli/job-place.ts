// Which job imports a file, stored next to the file until the command that began it has ended: after the command was
// killed, the same command continues, and no row is written twice.
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

/** Read through once: what arrives later must be the rest of the same bytes. @throws Error that names the file */
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

export interface Place {
  jobId: string
  /** Of the file, its organization and what is asked for. */
  fingerprint: string
  /** The organization's id; commands of earlier versions did not say it. */
  orgId?: string | undefined
}

export const fingerprintOf = ({ size, digest }: SourceFile, asked: object): string =>
  createHash('sha256')
    .update(JSON.stringify([size, digest, asked]))
    .digest('hex')

export const placePath = ({ path }: Pick<SourceFile, 'path'>): string => `${path}.job`

function read(text: string): Place | undefined {
  try {
    const value = parseJson(text)
    if (!isObject(value)) return undefined
    const { jobId, fingerprint, orgId } = value
    if (typeof jobId !== 'string' || typeof fingerprint !== 'string') return undefined
    return { jobId, fingerprint, ...(typeof orgId === 'string' && { orgId }) }
  } catch (error) {
    // No command has written it: theirs appear whole.
    if (error instanceof MalformedJson) return undefined
    throw error
  }
}

export const forgetPlace = (source: SourceFile): Promise<void> => rm(placePath(source), { force: true })

export async function readPlace(source: SourceFile): Promise<Place | undefined> {
  const text = await readFile(placePath(source), 'utf8').catch((error: Error) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  if (text === undefined) return undefined
  const place = read(text)
  if (!place) await forgetPlace(source)
  return place
}

/** Appears whole or not at all: half of one would be taken for none, and its file be imported twice. */
async function writeNew(path: string, place: Place): Promise<void> {
  const draft = `${path}.${place.jobId}`
  try {
    await writeFile(draft, `${JSON.stringify(place)}\n`, { flag: 'wx', flush: true })
    await link(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Why the place of a file cannot be written. */
export class NoPlace extends Error {}

/** Of two commands that begin together, the second is refused. @throws Error that names the file, NoPlace */
export async function keepPlace(source: SourceFile, place: Place): Promise<void> {
  const path = placePath(source)
  await writeNew(path, place).catch((error: Error) => {
    throw errorCode(error) === 'EEXIST'
      ? new Error(`${path} is there already, another command imports this file: wait for its end`)
      : new NoPlace(`${path} cannot be written (${error.message})`)
  })
}
