// Finds a file by its public address, so that other resources can use it.

import { ifNotFound, invalidField } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { isPicture } from './content-type.ts'
import type { FileContext } from './context.ts'
import { getPublicFile } from './serve.ts'
import { type FileRow, markUsed } from './store.ts'

const ADDRESS = /^\/files\/([\w-]{43,65})\/([^/]+)$/

const noFile = (path: string) =>
  invalidField(path, 'no_file', 'must be the publicUrl of an uploaded file of this organization')

function partsOf(url: string): { token: string; name: string } | undefined {
  if (!URL.canParse(url, 'http://any')) return undefined
  const [, token = '', name = ''] = ADDRESS.exec(new URL(url, 'http://any').pathname) ?? []
  try {
    return token === '' ? undefined : { token, name: decodeURIComponent(name) }
  } catch {
    return undefined
  }
}

/** The token in a public address; empty for any other text. */
export const tokenOf = (url: string): string => partsOf(url)?.token ?? ''

/**
 * The stored file at a public address of any host: an installation may have several.
 * @param path of the field
 * @param isOwn whether files of this organization count @throws 400 validation_error, 503 unavailable
 */
export async function requireFile(
  ctx: FileContext,
  url: string,
  { path, isOwn }: { path: string; isOwn(org: number): boolean | Promise<boolean> },
): Promise<FileRow> {
  const parts = partsOf(url)
  const file = parts && (await getPublicFile(ctx, parts).catch(ifNotFound(undefined)))
  if (!file || !(await isOwn(file.org))) throw noFile(path)
  return file
}

/** A file that a page can show as a picture. @throws as requireFile */
export async function requirePicture(...asked: Parameters<typeof requireFile>): Promise<FileRow> {
  const file = await requireFile(...asked)
  if (!isPicture(file.contentType))
    throw invalidField(
      asked[2].path,
      'no_picture',
      'must be a PNG, JPEG, GIF, WebP or AVIF: choose another file',
    )
  return file
}

/** Prevents the sweep of the file; runs in the transaction that writes its user. @throws 400 validation_error */
export async function takeIntoUse(tx: Db, file: FileRow, path: string): Promise<void> {
  if ((await markUsed(tx, file)) === 0) throw noFile(path)
}
