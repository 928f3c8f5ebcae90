// rapport files: uploads a file of an organization, as the organization's programs do. It acts as the first owner.
import { createReadStream, openAsBlob } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Command } from 'commander'
import { NewUpload, type StoredFile, type UploadUrl } from '../contract/files.ts'
import type { Context } from '../server/context.ts'
import { HEAD_BYTES, OPAQUE, recognize } from '../server/files/content-type.ts'
import { requestUpload, requireKeptBucket } from '../server/files/service.ts'
import { findSigned } from '../server/files/store.ts'
import { storeFile } from '../server/files/upload.ts'
import { checked } from './checked.ts'
import { enter, ORG_OPTION, type OrgOptions } from './organization.ts'
import { JSON_OUTPUT, print } from './output.ts'
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
  new Command('upload')
    .description('Store a file and print its public address')
    .argument('<file>', 'the file')
    .requiredOption(...ORG_OPTION)
    .requiredOption('--bucket <name>', 'lower-case letters, digits and hyphens')
    .option('--path <path>', 'where in the bucket (default: the name of the file)')
    .option('--content-type <type>', 'such as image/png')
    .option(...JSON_OUTPUT)
    .addHelpText('after', EXAMPLES)
    .action(run)

export const filesCommand = (): Command =>
  new Command('files')
    .description('Store files')
    .addCommand(uploadCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport files upload --help')
