// What the API document says before the first operation: how to authenticate, then the guides.
import { SCOPES } from '../../../contract/scopes.ts'
import { guidesFor } from './guides.ts'

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

export const descriptionOf = (baseUrl: string): string => `${INTRODUCTION}\n\n${guidesFor(baseUrl)}`
