// Generates programs that compile only if every example has the types of the generated clients.
import type { OpenApiDocument } from '../../http/openapi/document.ts'
import type { Example } from './examples.ts'

const json = (value: unknown) => JSON.stringify(value, null, 2)

const HEAD = `
import type { components, paths, webhooks } from "./rapport.ts"

type BodyOf<Operation> =
  Operation extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : never
type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? Query : never
type AnswerOf<Operation, Status> = Operation extends { responses: infer Responses }
  ? Status extends keyof Responses
    ? Responses[Status] extends { content: { 'application/json': infer Answer } } ? Answer : never
    : never
  : never
type EventOf<Type extends keyof webhooks> =
  webhooks[Type] extends { post: { requestBody: { content: { 'application/json': infer Body } } } } ? Body : never
`

/** Code that must not compile: without it, types that accept everything would pass. */
const REFUSED = `
type Schemas = components['schemas']
// @ts-expect-error an operator that does not exist
export const operator: Schemas['FilterTree'] = { attributeSlug: 'name', operator: 'is', value: 'Ada' }
// @ts-expect-error a leaf that is nothing
export const leaf: Schemas['FilterTree'] = { and: [{ query: 'ada' }] }
// @ts-expect-error a decimal as text is for requests
export const amount: Schemas['CurrencyValue'] = { amount: '1.50', currency: 'EUR' }
// @ts-expect-error the title is required
export const activity: Schemas['NewActivity'] = { type: 'note' }
// @ts-expect-error no code of an error
export const code: Schemas['Error']['error'] = 'no_such_code'
// @ts-expect-error no code of a problem
export const problem: Schemas['Problem']['code'] = 'no_such_code'
// @ts-expect-error clear is of requests: in a response no value is null
export const data: Schemas['RecordData'] = { email: null }
`

function typed({ title, template, method, query, body, status, answer }: Example, index: number): string {
  const operation = `paths['${template}']['${method}']`
  return [
    `// ${title}`,
    query === undefined ? '' : `export const query${index}: QueryOf<${operation}> = ${json(query)}`,
    body === undefined ? '' : `export const body${index}: BodyOf<${operation}> = ${json(body)}`,
    `export const answer${index}: AnswerOf<${operation}, ${status}> = ${json(answer)}`,
  ].join('\n')
}

/** The program for the types of openapi-typescript. */
export const typedExamples = (examples: readonly Example[], { webhooks }: OpenApiDocument): string =>
  [
    HEAD,
    REFUSED,
    ...examples.map(typed),
    ...Object.entries(webhooks).map(([type, { post }], index) => {
      const example = post?.requestBody?.content['application/json']?.example
      return `export const event${index}: EventOf<'${type}'> = ${json(example)}`
    }),
  ].join('\n')

function called({ title, operationId, path, query, body, answer, status }: Example, index: number): string {
  const variables = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
  }
  const inputs = Object.keys(variables).length > 0 ? json(variables) : ''
  return [
    `// ${title}`,
    `export const call${index} = () => client.${operationId}(${inputs})`,
    status.startsWith('2')
      ? `export const answer${index}: Awaited<ReturnType<typeof client.${operationId}>> = ${json(answer)}`
      : '',
  ].join('\n')
}

/** The program for the client of Redocly CLI. */
export const calledExamples = (examples: readonly Example[]): string =>
  ['import * as client from "./rapport-client.ts"', ...examples.map(called)].join('\n')
