// The fields of a form, read from the schema of a step's config.
import type { FieldWidget } from '../../../../contract/workflow-steps/fields.ts'

/** The part of JSON Schema that configs of steps use. */
export interface FieldSchema {
  type?: string
  title?: string
  description?: string
  widget?: FieldWidget
  enum?: readonly string[]
  const?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxItems?: number
  maxLength?: number
  maxProperties?: number
  pattern?: string
  items?: FieldSchema
  anyOf?: readonly FieldSchema[]
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
}

/** choice: one of several words; time: time of day; rows: list of objects; group: object with named fields. */
export type FieldKind = FieldWidget | 'choice' | 'number' | 'rows' | 'group' | 'time' | 'text'

export interface FormField {
  name: string
  kind: FieldKind
  label: string
  description: string | undefined
  isRequired: boolean
  /** The words of a choice. */
  options: readonly string[]
  schema: FieldSchema
}

/** `linkedRecords`, `linked_records` → `Linked records` */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function optionsOf({ enum: words, anyOf = [] }: FieldSchema): readonly string[] {
  if (words) return words
  const constants = anyOf.map(({ const: word }) => word)
  return constants.every((word) => word !== undefined) ? constants : []
}

function kindOf(schema: FieldSchema): FieldKind {
  if (schema.widget) return schema.widget
  if (optionsOf(schema).length > 0) return 'choice'
  if (schema.pattern?.includes(':')) return 'time'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'array' && schema.items?.properties) return 'rows'
  return schema.type === 'object' && schema.properties ? 'group' : 'text'
}

/** For a union, the alternative with a widget decides about the input. */
const shown = (schema: FieldSchema): FieldSchema => schema.anyOf?.find(({ widget }) => widget) ?? schema

/** Fields in the order of the schema, without inner steps, which are edited on the canvas. */
export const fieldsOf = ({ properties = {}, required = [] }: FieldSchema): FormField[] =>
  Object.entries(properties)
    .map(([name, given]) => {
      const schema = shown(given)
      return {
        name,
        kind: kindOf(schema),
        label: schema.title ?? labelOf(name),
        description: schema.description?.replaceAll(/`([^`]+)`/g, '“$1”'),
        isRequired: required.includes(name),
        options: optionsOf(schema),
        schema,
      }
    })
    .filter(({ kind }) => kind !== 'steps')

/** undefined removes the key. */
export function withField(
  values: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const { [name]: _, ...others } = values
  return value === undefined ? others : { ...values, [name]: value }
}
