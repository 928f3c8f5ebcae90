// What the document of a page has in it by its address (dashboard/starts.ts): the shell, and links to what it needs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FirstKind, firstContent, type Read } from './first-content.ts'
import type { ColumnWidths } from './first-table.ts'

interface Start {
  /** A pattern of paths. */
  address: string
  /** A pattern of queries; without it, any. */
  query?: string
  /** Links to scripts and styles. */
  files: string
  /** Links to what is read first, where $1 and $2 stand for groups of the address. */
  answers: string
  /** The same where the address has no query. */
  plainAnswers: string
  /** What of the page is shown first. */
  first?: FirstKind
}

/** Who opens a page, and how. */
export interface Visit {
  /** The address of the page, with its query. */
  url: string
  /** Without one, requests would only be refused, and another page opens. */
  hasSession: boolean
  /** The scheme that the visitor chose; undefined: the system's. */
  colorScheme?: string | undefined
  /** Answers as the dashboard's API answers the visitor; undefined for what is refused. */
  read: Read
}

interface Starts {
  document: string
  columnWidths: ColumnWidths
  pages: Start[]
}

/** What stands for the page in the shell. */
const PAGE = /<!--page-->.*<!--\/page-->/s

/** A page with this address: what of it does not depend on the visitor. */
type Kind = Omit<Start, 'address' | 'query'> & { pattern: RegExp; query: RegExp }

function kindOf({ address, query = '', ...kind }: Start): Kind {
  return { pattern: new RegExp(address), query: new RegExp(query), ...kind }
}

/** The groups of the address in their places. */
const filled = (text: string, groups: RegExpExecArray) => text.replace(/\$(\d)/g, (_, nr) => groups[nr] ?? '')

function linksFor({ files, answers, plainAnswers }: Kind, groups: RegExpExecArray, isPlain: boolean): string {
  return files + filled(isPlain ? answers + plainAnswers : answers, groups)
}

const withScheme = (document: string, scheme: string | undefined) =>
  scheme === undefined ? document : document.replace('<html', `<html data-mantine-color-scheme="${scheme}"`)

/** @returns the document for a visit; undefined where the page has none of its own */
export function startsFrom(dir: string): (nonce: string, visit: Visit) => Promise<string | undefined> {
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
