// Responds to requests for public addresses.
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError, notFound } from '../base/errors.ts'
import { isTokenShaped } from '../base/token.ts'
import { disposition } from '../http/attachment.ts'
import { isKnown } from '../http/etag.ts'
import { cutOffStalled } from '../http/unsent-answers.ts'
import { confirmUpload } from './confirm-upload.ts'
import { essenceOf, isShown, servedType } from './content-type.ts'
import type { FileContext } from './context.ts'
import { giveBack } from './memory.ts'
import { lastSegment } from './path.ts'
import { type ByteRange, readRange } from './range.ts'
import { type FileRow, findPublic } from './store.ts'

/** The headers of a request that affect the response. */
export interface Conditions {
  range: string | undefined
  ifRange: string | undefined
  ifNoneMatch: string | undefined
}

interface FileAnswer {
  status: 200 | 206 | 304
  headers: Readonly<Record<string, string | number>>
  /** The part of the file in the body; undefined for the whole file. */
  range: ByteRange | undefined
}

/** The file at an address never changes, so its id identifies the version. */
const etagOf = ({ id }: FileRow) => `"${id}"`

// A file runs nothing, loads nothing and is not read as another type. Other sites may show it on their pages, because
// every client with the address may read it. Shared caches do not keep it.
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, max-age=86400, immutable',
  'accept-ranges': 'bytes',
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Differs from decisions, section 5: a PDF has no sandbox, because no browser's viewer works in one. Chrome does not
 * start it with any sandbox (crbug.com/41131921), and Safari shows an empty page. This is safe: the type is fixed
 * (nosniff) and was compared with the first bytes, so the file is never read as a document of this origin. Scripts in a
 * PDF run in the viewer, without access to pages and cookies. The viewer is an element of a surrounding page, hence
 * object-src (crbug.com/271452). No script may run in that page, and no page may frame it.
 */
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const policyOf = (contentType: string) => (essenceOf(contentType) === 'application/pdf' ? PDF_POLICY : POLICY)

const partOf = ({ start, end }: ByteRange, size: number) => ({
  'content-range': `bytes ${start}-${end}/${size}`,
  'content-length': end - start + 1,
})

function beyond(size: number): AppError {
  return new AppError('range_not_satisfiable', `The file has ${size} bytes: send a range within them`, {
    size,
  })
}

/** @throws 416 range_not_satisfiable */
export function answerOf(file: FileRow, { range, ifRange, ifNoneMatch }: Conditions): FileAnswer {
  const { size, contentType, path } = file
  const etag = etagOf(file)
  const headers = { ...ALWAYS, 'content-security-policy': policyOf(contentType), etag }
  if (isKnown(ifNoneMatch, etag)) return { status: 304, headers, range: undefined }
  const part = ifRange === undefined || ifRange === etag ? readRange(range, size) : undefined
  if (part === 'beyond') throw beyond(size)
  const described = {
    ...headers,
    'content-type': servedType(contentType),
    'content-disposition': disposition(isShown(contentType) ? 'inline' : 'attachment', lastSegment(path)),
  }
  return part
    ? { status: 206, headers: { ...described, ...partOf(part, size) }, range: part }
    : { status: 200, headers: { ...described, 'content-length': size }, range: undefined }
}

const noSuchFile = () => notFound('file', 'check the address, and whether the file was uploaded')

/** @throws 404 not_found, also before the upload; 503 unavailable */
export async function getPublicFile(
  ctx: FileContext,
  { token, name }: { token: string; name: string },
): Promise<FileRow> {
  const found = isTokenShaped(token) ? await findPublic(ctx.db, token) : undefined
  if (!found || lastSegment(found.path) !== name) throw noSuchFile()
  if (found.state === 'stored') return found
  const confirmed = ctx.files.kind === 's3' ? await confirmUpload(ctx, ctx.files, found) : undefined
  if (confirmed?.state !== 'stored') throw noSuchFile()
  return confirmed
}

/** @throws 404 not_found if the store no longer has the file, 503 unavailable */
export async function openFile(
  { files, log }: FileContext,
  file: FileRow,
  range: ByteRange | undefined,
): Promise<Readable> {
  const stream = await files.get(file, range)
  if (stream) return stream
  log.error(
    { file: file.id, key: file.key },
    'a stored file is missing from the storage, or was changed there',
  )
  throw noSuchFile()
}

/**
 * Sends the bytes of the source, and frees the memory of each sent piece: no other code may use the pieces. The head of
 * the response has been written. If the source or the response ends early, the other ends too.
 * @param onError receives the error of a source that fails
 */
export function sendPieces(
  source: Readable,
  response: ServerResponse,
  onError: (error: Error) => void,
): void {
  // The client may have disconnected before the file was open.
  if (response.destroyed) source.destroy()
  cutOffStalled(response)
  source.on('data', (piece: Buffer) => {
    const isTaken = response.write(piece, (error) => {
      if (!error) giveBack(piece)
    })
    if (!isTaken) source.pause()
  })
  response.on('drain', () => source.resume())
  response.on('close', () => source.destroy())
  source.on('end', () => response.end())
  source.on('error', (error) => {
    onError(error)
    response.destroy()
  })
}
