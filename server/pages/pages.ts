// Makes the document of a page. All pages of the dashboard share one document, with different links and first content.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { PAGES_DIR } from './build.ts'
import { type FirstKind, firstContent, type Read } from './first-content.ts'
import type { ColumnWidths } from './first-table.ts'

export interface Pages {
  dir: string
  /** The origin that files are uploaded to, if it is not the service. */
  uploadsTo?: string | undefined
  state(): 'building' | 'ready' | 'failed'
  /** The document with this nonce, and the links and content that the visit needs first; only in the state `ready`. */
  document(nonce: string, visit: Visit): string | Promise<string>
}

const NONCE = /__NONCE__/g

export const newNonce = () => randomBytes(16).toString('base64')

interface Start {
  /** A pattern of paths. */
  address: string
  /** A pattern of queries; without it, any. */
  query?: string
  /** Links to scripts and styles. */
  files: string
  /** Links to the first requests. $1 and $2 are groups of the address. */
  answers: string
  /** Further links of this kind if the address has no query. */
  plainAnswers: string
  /** The kind of content that is shown first. */
  first?: FirstKind
}

interface Visit {
  /** The address of the page, with its query. */
  url: string
  /** Whether the visitor may be signed in. If not, first requests would only be refused, and another page opens. */
  hasSession: boolean
  /** The color scheme that the visitor chose; undefined for that of the system. */
  colorScheme?: string | undefined
  /** Reads the dashboard's API as the visitor; undefined if it is refused. */
  read: Read
}

interface Starts {
  document: string
  columnWidths: ColumnWidths
  pages: Start[]
}

/** The placeholder of the page in the shell. */
const PAGE = /<!--page-->.*<!--\/page-->/s

/** The parts of a page that do not depend on the visitor, with the compiled patterns of its address. */
type Kind = Omit<Start, 'address' | 'query'> & { pattern: RegExp; query: RegExp }

function kindOf({ address, query = '', ...kind }: Start): Kind {
  return { pattern: new RegExp(address), query: new RegExp(query), ...kind }
}

/** Replaces $1, $2 … by the groups of the address. */
const filled = (text: string, groups: RegExpExecArray) => text.replace(/\$(\d)/g, (_, nr) => groups[nr] ?? '')

function linksFor({ files, answers, plainAnswers }: Kind, groups: RegExpExecArray, isPlain: boolean): string {
  return files + filled(isPlain ? answers + plainAnswers : answers, groups)
}

const withScheme = (document: string, scheme: string | undefined) =>
  scheme === undefined ? document : document.replace('<html', `<html data-mantine-color-scheme="${scheme}"`)

/** @returns a function that makes the document of a visit; undefined if the page has no special document */
function startsFrom(dir: string): (nonce: string, visit: Visit) => Promise<string | undefined> {
  const { columnWidths, ...starts } = JSON.parse(readFileSync(join(dir, 'starts.json'), 'utf8')) as Starts
  const kinds = starts.pages.map(kindOf)
  return async (nonce, { url, hasSession, colorScheme, read }) => {
    if (!hasSession) return undefined
    const [path = '', query = ''] = url.split('?', 2)
    const kind = kinds.find((one) => one.pattern.test(path) && one.query.test(query))
    const groups = kind?.pattern.exec(path)
    if (!kind || !groups) return undefined
    const links = linksFor(kind, groups, query === '')
    const document = withScheme(starts.document.replaceAll('__NONCE__', nonce), colorScheme).replace(
      '</head>',
      () => `${links}</head>`,
    )
    if (kind.first === undefined) return document
    const [, org, object = '', record = ''] = groups
    const api = `/dashboard/api/organizations/${org}`
    const address = { api, object, record, query: new URLSearchParams(query) }
    const content = await firstContent(kind.first, { read, address, widths: columnWidths })
    return content === undefined ? document : document.replace(PAGE, () => content)
  }
}

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
 * Starts the build, if needed, without waiting for it: the API can start during the build.
 * @param build settles when the pages exist, with whether they were built
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
