// The service with a separate folder for files, and uploads to it.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LightMyRequestResponse as Response } from 'fastify'
import sql from 'sql-template-tag'
import type { UploadUrl } from '../../contract/files.ts'
import type { Config } from '../config/config.ts'
import { buildTestService, type TestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'

export const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from('the rest of a picture'),
])

export interface FileService extends TestService {
  dataDir: string
  /** Requests addresses for a file, by default at a new path. */
  ask(org: Org, asked?: Record<string, unknown>): Promise<UploadUrl>
  put(url: string, body?: Buffer | string, headers?: Record<string, string>): Promise<Response>
  get(url: string, headers?: Record<string, string>): Promise<Response>
  /** Uploads a picture and returns its public address. */
  stored(org: Org, asked?: Record<string, unknown>, body?: Buffer): Promise<string>
  /** Deletes the organization by SQL, as an operator might. */
  drop(org: Org): Promise<void>
  /** All files under DATA_DIR/files, including drafts. */
  onDisk(): Promise<string[]>
  rows(org: Org): Promise<{ path: string; state: string; size: number | null }[]>
}

let made = 0

/** The path and query of an address of the service. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

export async function buildFileService(overrides: Partial<Config> = {}): Promise<FileService> {
  const dataDir = await temporaryFolder('files')
  const service = await buildTestService({ dataDir, ...overrides })
  const { inject, ctx } = service
  const ask: FileService['ask'] = async (org, asked = {}) => {
    const body = { bucket: 'pictures', path: `some/picture ${++made}.png`, ...asked }
    const reply = await org.post<UploadUrl>('/files/upload-url', body)
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
    return reply.body
  }
  const put: FileService['put'] = (url, body = PNG, headers = { 'content-type': 'image/png' }) =>
    inject({ method: 'PUT', url: pathOf(url), headers, payload: body })
  return {
    ...service,
    dataDir,
    ask,
    put,
    get: (url, headers = {}) => inject({ method: 'GET', url: pathOf(url), headers }),
    async stored(org, asked, body) {
      const { signedUrl, publicUrl } = await ask(org, asked)
      const response = await put(signedUrl, body)
      if (response.statusCode !== 200) throw new Error(response.payload)
      return publicUrl
    },
    async drop({ org }) {
      await ctx.db.run(sql`delete from attributes where org = ${org}`)
      for (const db of [ctx.db, ctx.directory])
        await db.run(sql`delete from organizations where org = ${org}`)
    },
    onDisk: () => filesIn(join(dataDir, 'files')),
    rows: ({ org }) => ctx.db.many(sql`select path, state, size from files where org = ${org} order by id`),
  }
}
