// The text of the API document before the first operation: how to authenticate, then the guides.
import { readFileSync } from 'node:fs'
import { SCOPES } from '../../../contract/scopes.ts'

const scopeRows = Object.entries(SCOPES)
  .map(([scope, grants]) => `| \`${scope}\` | ${grants} |`)
  .join('\n')

const INTRODUCTION = `
A JSON API for companies, people, deals and the other records of your organization.

# Authentication

Send an API key with every request: \`Authorization: Bearer svc_…\`. A key belongs to one organization and cannot access others. It has full access or a set of scopes; each operation names the scope that it requires.

| Scope | Grants |
|---|---|
${scopeRows}

A request is checked in this order: key (401), rate (429), scope (403), size and type of the body (413, 415), format (400), existence (404), conflicts (409, 412). A method that a URL does not support returns 405 with \`Allow\`.
`.trim()

/** Files of docs/guide in order. They are sections of the document, so that readers need no other site. */
export const GUIDES = ['api', 'clients', 'webhooks', 'files'] as const

/** The address in the guides' examples, which the document replaces with that of the installation. */
const EXAMPLE_ADDRESS = 'http://127.0.0.1:3000'

const IMAGE = /^!\[[^\]]*\]\([^)]*\)\n+/gm
/** Links to other files, which do not work in the document. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?!https?:)[^)]*\)/g

const read = (name: string) =>
  readFileSync(new URL(`../../../docs/guide/${name}.md`, import.meta.url), 'utf8')

const guidesFor = (baseUrl: string): string =>
  GUIDES.map((name) =>
    read(name)
      // The prefix avoids conflicts with names of tags.
      .replace(/^# /, '# Guide: ')
      .replace(IMAGE, '')
      .replace(RELATIVE_LINK, '$1')
      .replaceAll(EXAMPLE_ADDRESS, baseUrl)
      .trim(),
  ).join('\n\n')

export const descriptionOf = (baseUrl: string): string => `${INTRODUCTION}\n\n${guidesFor(baseUrl)}`
