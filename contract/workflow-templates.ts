// Templates of workflows: definitions with placeholders that people fill. The browser loads this at run time.
import type { WorkflowDefinition } from './workflows.ts'

/** Kinds of placeholder values. Webhook endpoints and reports are given by id, secrets by name. */
export const TEMPLATE_INPUT_KINDS = [
  'text',
  'number',
  'email',
  'url',
  'endpoint',
  'report',
  'secret',
] as const
export type TemplateInputKind = (typeof TEMPLATE_INPUT_KINDS)[number]

const HOLE = /\[\[([a-z][A-Za-z0-9]*)\]\]/g
const ONLY_HOLE = /^\[\[([a-z][A-Za-z0-9]*)\]\]$/

type Fillings = Readonly<Record<string, string | number>>

const fillingOf = (fillings: Fillings, key: string) =>
  Object.hasOwn(fillings, key) ? fillings[key] : undefined

function fillText(text: string, fillings: Fillings): string | number {
  const whole = ONLY_HOLE.exec(text)?.[1]
  if (whole !== undefined) return fillingOf(fillings, whole) ?? text
  return text.replaceAll(HOLE, (hole, key: string) => String(fillingOf(fillings, key) ?? hole))
}

function fill(value: unknown, fillings: Fillings): unknown {
  if (typeof value === 'string') return fillText(value, fillings)
  if (Array.isArray(value)) return value.map((item) => fill(item, fillings))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, fillings)]))
}

/**
 * Replaces `[[key]]` in the definition by the value of `key`. A placeholder without a value stays. Such a definition
 * can be saved as a draft, and its validation reports the missing values.
 */
export const fillTemplate = (definition: WorkflowDefinition, fillings: Fillings): WorkflowDefinition =>
  fill(definition, fillings) as WorkflowDefinition
