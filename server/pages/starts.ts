// What the document of a page has in it by its address (dashboard/starts.ts): the shell, and links to what it needs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Start {
  /** A pattern of paths. */
  address: string
  /** Links to scripts and styles. */
  files: string
  /** Links to what is read first, where $1 and $2 stand for groups of the address. */
  answers: string
  /** The same where the address has no query. */
  plainAnswers: string
}

/** Who opens a page. */
export interface Visit {
  /** The address of the page, with its query. */
  url: string
  /** Without one, requests would only be refused, and another page opens. */
  hasSession: boolean
}

const ROOT = '<div id="root">'

/** @returns fills in the document of a visit */
export function startsFrom(dir: string): (document: string, visit: Visit) => string {
  const { shell, pages } = JSON.parse(readFileSync(join(dir, 'starts.json'), 'utf8')) as {
    shell: string
    pages: Start[]
  }
  const kinds = pages.map(({ address, ...links }) => ({ pattern: new RegExp(address), ...links }))
  return (document, { url, hasSession }) => {
    if (!hasSession) return document
    const [path = '', query = ''] = url.split('?', 2)
    for (const { pattern, files, answers, plainAnswers } of kinds) {
      const match = pattern.exec(path)
      if (!match) continue
      const read = query === '' ? answers + plainAnswers : answers
      const links = files + read.replace(/\$(\d)/g, (_, nr) => match[nr] ?? '')
      return document.replace('</head>', () => `${links}</head>`).replace(ROOT, () => ROOT + shell)
    }
    return document
  }
}
