// Files of an organization: requests for upload addresses, and the record of stored files.

import { DASHBOARD_BUCKET } from '../../contract/buckets.ts'
import type { Problem } from '../../contract/errors.ts'
import type { NewUpload, StoredFile, UploadUrl } from '../../contract/files.ts'
import { UPLOAD_URL_HOURS } from '../../contract/limits.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalid, invalidField } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import { makeTokenIn } from '../base/token.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { isForm, readContentType } from './content-type.ts'
import type { FileContext } from './context.ts'
import { isReservedName, lastSegment, pathProblem } from './path.ts'
import { requireFileRoom, storageFull } from './quota.ts'
import { type FileRow, type StoredFacts, selectUsedBytes, takeFile, upsertWaiting } from './store.ts'

export const fileExists = ({ bucket, path }: Pick<FileRow, 'bucket' | 'path'>): AppError =>
  new AppError('file_exists', `The bucket ${bucket} already has a file ${path}: choose another path`)

export const fileTooLarge = (max: number): AppError =>
  new AppError('payload_too_large', `A file can have at most ${max} bytes: send a smaller one`)

function* problemsOf({ bucket, path, contentType, size }: NewUpload, bytesMax: number): Generator<Problem> {
  if (isReservedName(bucket))
    yield {
      path: 'bucket',
      code: 'reserved_name',
      message: 'must not be a name that some systems reserve: choose another',
    }
  const problem = pathProblem(path)
  if (problem) yield { path: 'path', ...problem }
  if (contentType !== undefined && (readContentType(contentType) === undefined || isForm(contentType)))
    yield {
      path: 'contentType',
      code: 'content_type',
      message: 'must be a media type, such as image/png',
    }
  if (size !== undefined && size > bytesMax)
    yield {
      path: 'size',
      code: 'maximum',
      message: `must be at most ${bytesMax}, the maximum size of a file`,
    }
}

/** Refuses the bucket that is swept: programs would lose their files there. @throws 400 validation_error */
export function requireKeptBucket(bucket: string): void {
  if (bucket === DASHBOARD_BUCKET)
    throw invalidField(
      'bucket',
      'reserved_name',
      'must be another bucket: this one is reserved for the dashboard',
    )
}

export const publicUrlOf = ({ config }: { config: Config }, token: string, path: string): string =>
  `${config.baseUrl}/files/${token}/${encodeURIComponent(lastSegment(path))}`

/**
 * Returns an address that accepts one file, for two hours, and the address to read it at. A repeated request before the
 * upload returns another upload address for the same file.
 * @throws 400 validation_error, 409 file_exists, 409 storage_full
 */
export async function requestUpload(ctx: FileContext, caller: Caller, asked: NewUpload): Promise<UploadUrl> {
  const { bucket, path, contentType, size } = asked
  const problems = [...problemsOf(asked, ctx.config.fileBytesMax)]
  if (problems.length > 0) throw invalid('validation_error', problems)
  await requireFileRoom(ctx, caller.org, size ?? 1)
  const expires = Math.floor(ctx.clock.now().getTime() / 1000) + UPLOAD_URL_HOURS * 3600
  const place = { org: caller.org, organizationId: caller.orgId, bucket, path }
  const made = {
    id: newId(),
    token: makeTokenIn(ctx.cell, caller.orgId),
    createdBy: caller.userId,
    expiresAt: new Date(expires * 1000),
  }
  const file = await upsertWaiting(ctx.db, { ...place, ...made })
  if (!file) throw fileExists(asked)
  const upload = { organizationId: caller.orgId, fileId: file.id, key: file.key, expires, contentType, size }
  const { url, headers } = await ctx.files.presignPut(upload)
  return {
    signedUrl: url,
    publicUrl: publicUrlOf(ctx, file.token, path),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

/** Records a file as stored; the transaction has locked its row. @throws 409 storage_full */
export async function takeIn(
  { config }: { config: Config },
  tx: Db,
  file: FileRow,
  facts: StoredFacts,
): Promise<void> {
  const limit = config.filesBytesPerOrganization
  if (!(await takeFile(tx, file, facts, limit))) throw storageFull(limit, await selectUsedBytes(tx, file.org))
}

export const toStoredFile = (
  ctx: { config: Config },
  { token, path }: Pick<FileRow, 'token' | 'path'>,
  { size, contentType }: Pick<StoredFacts, 'size' | 'contentType'>,
): StoredFile => ({ publicUrl: publicUrlOf(ctx, token, path), size, contentType })
