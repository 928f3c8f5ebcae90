// What the page at an address is made of: the one document of the dashboard, or why it is not there yet.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { PAGES_DIR } from './build.ts'
import { startsFrom, type Visit } from './starts.ts'

export interface Pages {
  dir: string
  /** The origin that files are uploaded to, when it is not the service's own. */
  uploadsTo?: string | undefined
  state(): 'building' | 'ready' | 'failed'
  /** The document with this nonce in it, and what the visit needs first; called once they are ready. */
  document(nonce: string, visit: Visit): string | Promise<string>
}

const NONCE = /__NONCE__/g

export const newNonce = () => randomBytes(16).toString('base64')

/** The pages that are built already. */
export function builtPages(dir: string = PAGES_DIR): Pages {
  const template = readFileSync(join(dir, 'index.html'), 'utf8')
  const documentOf = startsFrom(dir)
  return {
    dir,
    state: () => 'ready',
    document: async (nonce, visit) => (await documentOf(nonce, visit)) ?? template.replace(NONCE, nonce),
  }
}

/**
 * Begins to build where needed, and serves meanwhile: the API does not wait for the dashboard.
 * @param build settles when the pages are there, with whether they had to be built
 */
export function preparePages(
  log: Logger,
  build: () => Promise<boolean>,
): Pages & { prepared: Promise<void> } {
  let pages: Pages | undefined
  let failed = false
  const prepared = build().then(
    (isNew) => {
      pages = builtPages()
      if (isNew) log.info('the dashboard was built')
    },
    (err) => {
      failed = true
      log.error({ err }, 'the dashboard could not be built')
    },
  )
  return {
    dir: PAGES_DIR,
    prepared,
    state: () => pages?.state() ?? (failed ? 'failed' : 'building'),
    document(nonce, visit) {
      if (!pages) throw new Error('The dashboard is not built yet')
      return pages.document(nonce, visit)
    },
  }
}
