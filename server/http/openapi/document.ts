// The parts of an OpenAPI 3.1 document that this folder reads and writes.
export interface Schema {
  [keyword: string]: unknown
  $ref?: string
  properties?: Record<string, Schema>
}

export interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

// An alias, since an interface is not assignable to Schema.
export type Ref = { $ref: string }

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  style?: string
  explode?: boolean
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Response {
  description: string
  headers?: Record<string, Ref>
  content?: Record<string, Media>
}

export interface OperationObject {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response | Ref>
  'x-required-scope'?: string
}

export interface OpenApiDocument {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string; description?: string }[]
  security?: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string; schema: Schema; required?: boolean }>
    responses: Record<string, Response>
    securitySchemes: Record<string, Schema>
  }
}

export const JSON_MEDIA = 'application/json'

export const refTo = (kind: keyof OpenApiDocument['components'], name: string): Ref => ({
  $ref: `#/components/${kind}/${name}`,
})
