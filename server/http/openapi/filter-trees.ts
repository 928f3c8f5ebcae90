// Schemas of filters: recursive trees, which the service checks in code.
import { FILTERS_MAX, SEARCH_TEXT_MAX } from '../../../contract/limits.ts'
import { SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { RELATIVE_DATES } from '../../../contract/report-states.ts'
import { refTo, type Schema } from './document.ts'

export const operator: Schema = {
  type: 'string',
  enum: [...SEARCH_OPERATORS],
  description: 'The operators of an attribute depend on its type',
}

/** The schemas of a tree with this name and these leaves. */
function tree(name: string, leaves: Schema[], description: string): Record<string, Schema> {
  const group = (all: 'and' | 'or', meaning: string): Schema => ({
    type: 'object',
    description: meaning,
    required: [all],
    additionalProperties: false,
    properties: {
      [all]: { type: 'array', minItems: 1, maxItems: FILTERS_MAX, items: refTo('schemas', name) },
    },
  })
  const negation: Schema = {
    type: 'object',
    description: 'Must not match. Selects all other records, including records without a value',
    required: ['not'],
    additionalProperties: false,
    properties: { not: refTo('schemas', name) },
  }
  const groups = [group('and', 'All must match'), group('or', 'Any must match'), negation]
  return { [name]: { description: `${description}; up to 5 levels deep`, anyOf: [...leaves, ...groups] } }
}

const freeText: Schema = {
  type: 'object',
  description: 'Free-text search, like `q` of the request',
  required: ['q'],
  additionalProperties: false,
  properties: {
    q: { type: 'string', minLength: 1, maxLength: SEARCH_TEXT_MAX, examples: ['hopper grace'] },
  },
}

const relativeDate: Schema = {
  type: 'object',
  description: 'Days relative to the day of the run; for dates',
  required: ['relative'],
  additionalProperties: false,
  properties: { relative: { type: 'string', enum: [...RELATIVE_DATES] } },
}

const condition = (subject: 'field' | 'key', description: string, value: Schema): Schema => ({
  type: 'object',
  required: [subject, 'operator'],
  additionalProperties: false,
  properties: { [subject]: { type: 'string', description }, operator, value },
})

const operand = refTo('schemas', 'FilterValue')

/** Keys: names in components/schemas. */
export const FILTER_TREES: Readonly<Record<string, Schema>> = {
  ...tree(
    'FilterTree',
    [refTo('schemas', 'Filter'), freeText],
    'A filter, free text, a list of filters of which all (`and`) or any (`or`) must match, or a filter that must not match (`not`)',
  ),
  ...tree(
    'ReportFilterTree',
    [
      condition('field', 'A field as in `field` of a column, such as `deal.stage`', {
        anyOf: [operand, relativeDate],
      }),
    ],
    'A condition on a field, a list of conditions of which all (`and`) or any (`or`) must match, or a condition that must not match (`not`)',
  ),
  ...tree(
    'ReportHavingTree',
    [condition('key', 'Key of a measure', operand)],
    'A condition on a measure, a list of conditions of which all (`and`) or any (`or`) must match, or a condition that must not match (`not`)',
  ),
}
