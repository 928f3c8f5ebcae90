// bench files: how fast files of 5 MB are uploaded and downloaded, compared with a server that only streams.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import type { Caller } from '../../server/base/caller.ts'
import { newId } from '../../server/base/id.ts'
import type { Db } from '../../server/db/pool.ts'
import type { FileContext } from '../../server/files/context.ts'
import { requestUpload } from '../../server/files/service.ts'
import { type Bench, type BenchOptions, chosen, profileFlags } from '../harness/bench.ts'
import { ask, startPartner } from '../harness/child.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, startService } from '../harness/service.ts'
import { FILE_BYTES, FILES, measureRounds, rowsOf, type Side } from './measure.ts'

const LIMIT = fileURLToPath(new URL('./limit-process.ts', import.meta.url))
const LOAD = fileURLToPath(new URL('./load-process.ts', import.meta.url))

async function makeCaller({ db }: { db: Db }): Promise<Caller> {
  const [orgId, userId] = [newId(), newId()]
  const { org } = await db.one<{ org: number }>(
    sql`insert into organizations (id, name, slug) values (${orgId}, 'Files', ${orgId}) returning org`,
  )
  return { org, orgId, userId, keyId: null, country: 'US', currency: 'USD' }
}

const relative = (address: string) => {
  const { pathname, search } = new URL(address)
  return pathname + search
}

/** Makes upload and download URLs of new files, as POST /files/upload-url does. */
async function makeUploads(ctx: FileContext, caller: Caller): Promise<{ put: string; get: string }[]> {
  const uploads = []
  for (let nr = 0; nr < FILES; nr++) {
    const made = await requestUpload(ctx, caller, { bucket: 'bench', path: newId() })
    uploads.push({ put: relative(made.signedUrl), get: relative(made.publicUrl) })
  }
  return uploads
}

async function openSide(lab: Lab, options: BenchOptions): Promise<Side> {
  const env = { FILES_BYTES_PER_ORGANIZATION: String(Number.MAX_SAFE_INTEGER) }
  const service = await startService(lab, { flags: profileFlags(options, 'service'), env })
  const { ctx, close } = await attach(lab, service, env)
  lab.onClose(close)
  const caller = await makeCaller(ctx)
  return {
    name: 'service',
    url: service.url,
    pid: service.pid,
    uploads: () => makeUploads(ctx, caller),
    // The database rows stay, so that the next round writes to a table that already has rows.
    clear: () => rm(join(service.dataDir, 'files', caller.orgId), { recursive: true, force: true }),
  }
}

async function openLimit(lab: Lab, options: BenchOptions, query: '' | '?flush'): Promise<Side> {
  const folder = join(lab.folder, `limit${query.slice(1)}`)
  await mkdir(folder)
  const name = `limit${query && ' that flushes'}`
  const flags = profileFlags(options, name.replaceAll(' ', '-'))
  const child = startPartner(lab, { name, file: LIMIT, flags })
  const { url } = await ask<{ url: string }>(child, { folder })
  return {
    name,
    url,
    pid: child.pid,
    uploads: async () => Array.from({ length: FILES }, (_, nr) => ({ put: `/${nr}${query}`, get: `/${nr}` })),
    clear: async () => {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
    },
  }
}

const CASES = [{ name: 'files' }] as const

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  chosen(CASES, options.only)
  const load = startPartner(lab, { name: 'The load', file: LOAD })
  const sides = {
    limit: await openLimit(lab, options, ''),
    flushing: await openLimit(lab, options, '?flush'),
    service: await openSide(lab, options),
  }
  return rowsOf(await measureRounds(lab, load, sides, options))
}

export const filesBench: Bench = {
  name: 'files',
  summary: `files of ${FILE_BYTES / 1e6} MB in and out, compared with plain streams of node:http`,
  run,
}
