// What the API document says before the first operation.
import { IDEMPOTENCY_HOURS } from '../../../contract/limits.ts'
import { SCOPES } from '../../../contract/scopes.ts'

const scopeRows = Object.entries(SCOPES)
  .map(([scope, grants]) => `| \`${scope}\` | ${grants} |`)
  .join('\n')

export const INTRODUCTION = `
A JSON API for companies, people, deals and the other records of your organization.

## Authentication

Send an API key with every request: \`Authorization: Bearer svc_…\`. A key belongs to one organization and cannot access others. It has full access or a set of scopes; each operation names the scope that it requires.

| Scope | Grants |
|---|---|
${scopeRows}

## Errors

Every error is \`{"error", "message", "details"?, "requestId"}\`: a code for programs, a sentence for people, and details for programs. A request is checked in this order: key (401), rate (429), scope (403), size and type of the body (413, 415), format (400), existence (404), conflicts (409, 412). A method that a URL does not support returns 405 with \`Allow\`.

## Limits

Each key can make 100 requests per minute by default. Every response has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; over the limit the response is 429 with \`Retry-After\`. Requests without a valid key are counted by client address. A body can have 1 MiB, that of a bulk operation 8 MiB.

## Repeating safely

With an \`Idempotency-Key\`, a POST, PATCH or DELETE that is sent again within ${IDEMPOTENCY_HOURS} hours does nothing and returns the response of the first one. With \`If-Match\`, a change is rejected if the resource has changed since you read it.

## Pages

Lists take \`limit\` and \`offset\`, or \`cursor\` with the \`pagination.nextCursor\` of the previous page. \`count=false\` omits \`pagination.total\`, which is faster on large lists.

## Additions

(+) marks fields and attribute types that are not in the specification of the API. A client that was written from the specification ignores the fields, and sees the types where an organization uses them: the \`owner\` of people, companies and deals is a \`member\`.
`.trim()
