// Checks the definition of a new attribute, as far as possible without other data (decisions, section 5).

import { reference } from '../../../contract/attribute-types/reference.ts'
import {
  ATTRIBUTE_TYPES,
  NEVER_UNIQUE,
  SLUG_PATTERN,
  TYPE_CONTRACTS,
} from '../../../contract/attribute-types.ts'
import {
  type AttributeConfig,
  CaseConfig,
  type NewAttribute,
  type SelectConfig,
} from '../../../contract/attributes.ts'
import { CASED } from '../../../contract/cased-types.ts'
import type { Problem } from '../../../contract/errors.ts'
import { singleLine } from '../../../contract/single-line.ts'
import { UUID_PATTERN } from '../../../contract/uuid.ts'
import { invalid, invalidField } from '../../base/errors.ts'
import type { JsonValue } from '../../base/json.ts'
import { instead } from '../../base/suggestions.ts'
import { shapeCheck } from '../../http/validate.ts'
import { slugFor } from '../objects/slugs.ts'

/** These slugs sort and filter by properties of the record, such as its creation time, not by values in its data. */
const RESERVED = new Set(['id', 'created_at', 'updated_at', 'created_by'])

export const NOT_RESERVED = `must not be one of ${[...RESERVED].join(', ')}, which are reserved: choose another slug`

export const isReserved = (slug: string): boolean => RESERVED.has(slug)

export interface Definition {
  name: string
  type: NewAttribute['type']
  slug: string
  /** Whether the caller chose the slug. A chosen slug gets no suffix. */
  isSlugGiven: boolean
  isRequired: boolean
  isUnique: boolean
  isList: boolean
  config: AttributeConfig
  /** The canonical value; null for no default. */
  defaultValue: JsonValue
}

/** The canonical default of an attribute. @throws 400 validation_error */
export type ReadDefault = (
  attribute: Pick<Definition, 'name' | 'slug' | 'type' | 'isRequired' | 'isUnique' | 'isList' | 'config'>,
  sent: unknown,
) => JsonValue

/** Responses contain `isNaming`, so clients send it here, but another route changes it. @throws 400 validation_error */
export function refuseNaming(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('isNaming' in body)) return
  const message = 'cannot be set here: send {"namingAttributeId": "<id>"} with PATCH /objects/:objectId'
  throw invalidField('isNaming', 'unknown_field', message)
}

function* slugProblems({ slug }: NewAttribute): Generator<Problem> {
  if (slug !== undefined && isReserved(slug))
    yield {
      path: 'slug',
      code: 'reserved',
      message: NOT_RESERVED,
    }
}

function* uniqueProblems({ isUnique, type }: NewAttribute): Generator<Problem> {
  if (isUnique && NEVER_UNIQUE.has(type))
    yield {
      path: 'isUnique',
      code: 'never_unique',
      message: `must be false: values of type ${type} cannot be unique`,
    }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request may name the object by its slug. */
const SENT_REFERENCE = {
  ...reference.config.schema,
  properties: {
    allowed_object_id: {
      type: 'string',
      pattern: `${UUID_PATTERN}|${SLUG_PATTERN}`,
      description: 'id or slug of an object',
      examples: ['companies'],
    },
  },
}

const CONFIG_CHECKS = new Map(
  ATTRIBUTE_TYPES.flatMap((type) => {
    const { config } = TYPE_CONTRACTS[type]
    if (!config) return []
    const schema = type === 'reference' ? SENT_REFERENCE : config.schema
    return [[type, { example: config.example, check: shapeCheck(schema) }] as const]
  }),
)

const CASE = { example: '{"caseSensitive":false}', check: shapeCheck(CaseConfig) }

/** The type of the attribute decides which rules apply. */
function configProblems({ config, type, isUnique = false }: NewAttribute): Problem[] {
  const path = 'config'
  const isCased = CASED.has(type)
  const known = isCased && isUnique ? CASE : CONFIG_CHECKS.get(type)
  if ((config ?? null) === null && (isCased || !known)) return []
  if (!known) {
    const which = isCased ? 'an attribute that is not unique' : `an attribute of type ${type}`
    return [{ path, code: 'not_allowed', message: `must be null or omitted for ${which}` }]
  }
  if (!isObject(config))
    return [{ path, code: 'required', message: `must be ${known.example} for an attribute of type ${type}` }]
  return known.check(config).map((problem) => ({ ...problem, path: `${path}.${problem.path}` }))
}

const mapEntries = <Value>(
  object: Readonly<Record<string, Value>>,
  map: (key: string, value: Value) => [string, Value],
): Record<string, Value> => Object.fromEntries(Object.entries(object).map(([key, value]) => map(key, value)))

/** @throws 400 validation_error if an option is blank, or if two options are equal after normalization */
function tidyOptions(options: readonly string[]): string[] {
  const tidy = options.map(singleLine)
  const blank = tidy.indexOf('')
  if (blank >= 0)
    throw invalidField(
      `config.options[${blank}]`,
      'pattern',
      'must not be blank: send at least one visible character',
    )
  const twice = tidy.findIndex((option, index) => tidy.indexOf(option) !== index)
  if (twice < 0) return tidy
  throw invalidField(
    `config.options[${twice}]`,
    'uniqueItems',
    `must differ from the other options: ${tidy[twice]} is already in the list`,
  )
}

function* optionProblems({ options, colors = {}, aliases = {} }: SelectConfig): Generator<Problem> {
  const unknown = (path: string, option: string): Problem => ({
    path: `config.${path}`,
    code: 'unknown_option',
    message: `must name an option, not ${option}: ${instead(option, options)}`,
  })
  for (const option of Object.keys(colors)) if (!options.includes(option)) yield unknown('colors', option)
  for (const [alias, option] of Object.entries(aliases)) {
    if (!options.includes(option)) yield unknown('aliases', option)
    if (options.includes(alias))
      yield {
        path: 'config.aliases',
        code: 'still_listed',
        message: `must not name an option: leave ${alias} out`,
      }
  }
}

/** @throws 400 validation_error */
function canonicalOptions({ options, colors, aliases }: SelectConfig): SelectConfig {
  const config = {
    options: tidyOptions(options),
    ...(colors && { colors: mapEntries(colors, (option, color) => [singleLine(option), color]) }),
    ...(aliases && {
      aliases: mapEntries(aliases, (alias, option) => [singleLine(alias), singleLine(option)]),
    }),
  }
  const problems = [...optionProblems(config)]
  if (problems.length > 0) throw invalid('validation_error', problems)
  return config
}

function canonical(config: AttributeConfig): AttributeConfig {
  if (config && 'options' in config) return canonicalOptions(config)
  if (config && 'allowed_object_id' in config)
    return { allowed_object_id: config.allowed_object_id.toLowerCase() }
  return config
}

/** The attribute with its defaults. @throws 400 validation_error with all problems */
export function attributeDefinition(input: NewAttribute, readDefault: ReadDefault): Definition {
  const problems = [...slugProblems(input), ...uniqueProblems(input), ...configProblems(input)]
  if (problems.length > 0) throw invalid('validation_error', problems)
  const definition = {
    name: input.name,
    type: input.type,
    slug: input.slug ?? slugFor('attribute', input.name),
    isSlugGiven: input.slug !== undefined,
    isRequired: input.isRequired ?? false,
    isUnique: input.isUnique ?? false,
    isList: input.isList ?? false,
    config: canonical(input.config ?? null),
  }
  return { ...definition, defaultValue: readDefault(definition, input.defaultValue ?? null) }
}
