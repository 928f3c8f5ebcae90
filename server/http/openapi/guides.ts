// The guides of docs/guide as sections of the API document: its readers have them without another site.
import { readFileSync } from 'node:fs'

/** Those about the API, in their order. */
export const GUIDES = ['api', 'clients', 'webhooks', 'files'] as const

/** Of the examples in the guides; the document has the address of the installation. */
const EXAMPLE_ADDRESS = 'http://127.0.0.1:3000'

const IMAGE = /^!\[[^\]]*\]\([^)]*\)\n+/gm
/** To other files: the document has no such addresses. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?!https?:)[^)]*\)/g

const read = (name: string) =>
  readFileSync(new URL(`../../../docs/guide/${name}.md`, import.meta.url), 'utf8')

export const guidesFor = (baseUrl: string): string =>
  GUIDES.map((name) =>
    read(name)
      // Some have the name of a tag.
      .replace(/^# /, '# Guide: ')
      .replace(IMAGE, '')
      .replace(RELATIVE_LINK, '$1')
      .replaceAll(EXAMPLE_ADDRESS, baseUrl)
      .trim(),
  ).join('\n\n')
