// rapport files: uploads, lists and deletes files of an organization, as its programs do. It acts as the first owner.
import { createReadStream, openAsBlob } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Command } from 'commander'
import {
  NewUpload,
  type StoredFile,
  type UploadedFile,
  UploadedFileQuery,
  type UploadUrl,
} from '../contract/files.ts'
import type { Context } from '../server/context.ts'
import { HEAD_BYTES, OPAQUE, recognize } from '../server/files/content-type.ts'
import { requestUpload, requireKeptBucket } from '../server/files/service.ts'
import { findSigned } from '../server/files/store.ts'
import { storeFile } from '../server/files/upload.ts'
import { checked } from './checked.ts'
import {
  EXAMPLE_ID,
  moreLines,
  type PageOptions,
  pageQuery,
  withCaller,
  withPages,
} from './object-command.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { withSession } from './session.ts'

interface UploadOptions extends OrgOptions {
  bucket: string
  path?: string
  contentType?: string
}

/** The type of a file by its first bytes; OPAQUE if they identify none. */
async function typeOf(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return recognize(buffer.subarray(0, bytesRead)) ?? OPAQUE
  } finally {
    await handle.close()
  }
}

/** Uploads to the bucket, as programs do with the address. */
async function putToStore(
  { signedUrl, headers }: UploadUrl,
  file: string,
  contentType: string,
): Promise<void> {
  const response = await fetch(signedUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType, ...(headers as Record<string, string>) },
    body: await openAsBlob(file),
    redirect: 'error',
  })
  if (!response.ok)
    throw new Error(
      `The file storage answered ${response.status}: try again, or check the settings of the bucket`,
    )
}

/** Stores a file on the disk without the service, which may not be running. */
async function putToDisk(ctx: Context, signedUrl: string, file: string, contentType: string): Promise<void> {
  const { files, db } = ctx
  const [organizationId = '', fileId = ''] = new URL(signedUrl).pathname.split('/').slice(-2)
  const waiting = await findSigned(db, organizationId, fileId)
  if (files.kind !== 'disk' || !waiting) throw new Error('The upload was deleted in the meantime: try again')
  await storeFile(ctx, files, waiting, { source: createReadStream(file), contentType })
}

function upload(file: string, options: UploadOptions): Promise<StoredFile> {
  return withSession(async (session) => {
    requireKeptBucket(options.bucket)
    const { size } = await stat(file)
    const contentType = options.contentType ?? (await typeOf(file))
    const asked = { bucket: options.bucket, path: options.path ?? basename(file), contentType, size }
    const { ctx, caller } = await enter(session, options.org)
    const urls = await requestUpload(ctx, caller, checked(NewUpload, asked))
    if (ctx.files.kind === 's3') await putToStore(urls, file, contentType)
    else await putToDisk(ctx, urls.signedUrl, file, contentType)
    return { publicUrl: urls.publicUrl, size, contentType }
  })
}

async function run(file: string, options: UploadOptions): Promise<void> {
  const stored = await upload(file, options)
  print(options, stored, () => [stored.publicUrl])
}

const EXAMPLES = `
Run it as the user that the service runs as. Anyone who has the printed address can read the file. Without
--content-type the type is recognized from the content: a picture, a PDF, or else application/octet-stream.

Examples:
  $ rapport files upload --org acme --bucket logos acme.png
  $ rapport files upload --org acme --bucket reports --path 2026/november.csv --content-type text/csv november.csv --json`

const uploadCommand = () =>
  orgCommand('upload', 'Store a file and print its public address')
    .argument('<file>', 'the file')
    .requiredOption('--bucket <name>', 'lower-case letters, digits and hyphens')
    .option('--path <path>', 'where in the bucket (default: the name of the file)')
    .option('--content-type <type>', 'such as image/png')
    .option(...JSON_OUTPUT)
    .addHelpText('after', EXAMPLES)
    .action(run)

const row = ({ id, bucket, path, size, contentType, createdAt, createdBy }: UploadedFile): string[] => [
  ...[id, bucket, path, String(size), contentType, String(createdAt)],
  createdBy?.email ?? '',
]

const shown = (files: readonly UploadedFile[]): string[] =>
  table(['FILE', 'BUCKET', 'PATH', 'BYTES', 'TYPE', 'CREATED', 'BY'], files.map(row), 'No files yet.')

interface ListOptions extends Omit<PageOptions, 'object'> {
  bucket?: string
  prefix?: string
}

const stored = () => import('../server/attachments/stored-files.ts')

async function list(options: ListOptions): Promise<void> {
  const { bucket, prefix } = options
  const asked = { ...pageQuery(options), ...(bucket && { bucket }), ...(prefix && { prefix }) }
  const query = checked(UploadedFileQuery, asked)
  const { listFiles } = await stored()
  const page = await withCaller(options, (ctx, caller) => listFiles(ctx, caller, query))
  print(options, page, () => [...shown(page.files), ...moreLines(page.pagination)])
}

async function get(id: string, options: OrgOptions): Promise<void> {
  const { getFile } = await stored()
  const file = await withCaller(options, (ctx, caller) => getFile(ctx, caller, id))
  print(options, file, () => [...shown([file]), file.url])
}

async function remove(id: string, options: OrgOptions): Promise<void> {
  const { deleteFile } = await stored()
  const deleted = await withCaller(options, (ctx, caller) => deleteFile(ctx, caller, id))
  print(options, { id: deleted, deleted: true }, () => [`File ${deleted} is deleted`])
}

const fileCommand = (name: string, description: string) =>
  orgCommand(name, description).option(...JSON_OUTPUT)

const listCommand = () =>
  withPages(fileCommand('list', 'List the files that programs uploaded, newest first'))
    .option('--bucket <name>', 'only files of this bucket')
    .option('--prefix <text>', 'only files whose path begins with this text')
    .addHelpText('after', '\nExamples:\n  $ rapport files list --org acme --bucket avatars --prefix people/')
    .action(list)

const getCommand = () =>
  fileCommand('get', 'Show a file and its public address')
    .argument('<id>', 'of the file')
    .addHelpText('after', `\nExamples:\n  $ rapport files get ${EXAMPLE_ID} --org acme`)
    .action(get)

const deleteCommand = () =>
  fileCommand('delete', 'Delete a file for good, unless a record, an activity or a picture uses it')
    .argument('<id>', 'of the file')
    .addHelpText('after', `\nExamples:\n  $ rapport files delete ${EXAMPLE_ID} --org acme`)
    .action(remove)

export const filesCommand = (): Command =>
  new Command('files')
    .description('Store, list and delete files')
    .addCommand(uploadCommand())
    .addCommand(listCommand())
    .addCommand(getCommand())
    .addCommand(deleteCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport files upload --help')
