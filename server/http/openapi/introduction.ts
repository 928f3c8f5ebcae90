// What the API document says before the first operation.
import { IDEMPOTENCY_HOURS } from '../../../contract/limits.ts'
import { SCOPES } from '../../../contract/scopes.ts'

const scopeRows = Object.entries(SCOPES)
  .map(([scope, grants]) => `| \`${scope}\` | ${grants} |`)
  .join('\n')

export const INTRODUCTION = `
Companies, people, deals and everything else your organization keeps records of, over JSON.

## Authentication

Send an API key with every request: \`Authorization: Bearer svc_…\`. A key belongs to one organization and sees nothing of any other. It has full access or a set of scopes; each operation names the scope it needs.

| Scope | Grants |
|---|---|
${scopeRows}

## Errors

Every error is \`{"error", "message", "details"?, "requestId"}\`: a code for programs, a sentence for people, and what a program can use. A request is checked in this order: key (401), rate (429), scope (403), size and type of the body (413, 415), form (400), existence (404), conflicts (409, 412). An address asked with a method it does not have answers 405 with \`Allow\`.

## Limits

Each key may make a number of requests per minute, 100 unless configured otherwise. Every answer carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; over the limit the answer is 429 with \`Retry-After\`. Requests without a valid key count by client address. Bodies may be 1 MiB, those of bulk operations 8 MiB.

## Repeating safely

With an \`Idempotency-Key\`, a POST, PATCH or DELETE that is sent again within ${IDEMPOTENCY_HOURS} hours does nothing and answers what the first one answered. With \`If-Match\`, a change is refused when the resource changed since you read it.

## Pages

Lists take \`limit\` and \`offset\`, or follow \`pagination.nextCursor\` with \`cursor\`. \`count=false\` leaves out \`pagination.total\`, which is quicker on large lists.
`.trim()
