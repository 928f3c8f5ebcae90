// What a new attribute must be, as far as its own fields tell (decisions, section 5).
import { NEVER_UNIQUE } from '../../contract/attribute-types.ts'
import type { AttributeConfig, NewAttribute } from '../../contract/attributes.ts'
import type { Problem } from '../../contract/errors.ts'
import { slugFrom } from '../../contract/slugs.ts'
import { invalid } from '../errors.ts'

/** These name sorts: records.created_at is when the record was made, whatever its data says. */
const RESERVED = new Set(['id', 'created_at', 'updated_at'])

export const isReserved = (slug: string): boolean => RESERVED.has(slug)

export interface Definition {
  name: string
  type: NewAttribute['type']
  slug: string
  /** Whether the caller chose the slug: then nothing is appended to it. */
  isSlugGiven: boolean
  isRequired: boolean
  isUnique: boolean
  isList: boolean
  config: AttributeConfig
}

function* slugProblems({ slug, name }: NewAttribute): Generator<Problem> {
  if (slug !== undefined && isReserved(slug))
    yield {
      path: 'slug',
      code: 'reserved',
      message: 'must not be id, created_at or updated_at: they name sorts',
    }
  if (slug === undefined && slugFrom(name) === undefined)
    yield { path: 'slug', code: 'required', message: 'is required: none can be made from name' }
}

function* uniqueProblems({ isUnique, type }: NewAttribute): Generator<Problem> {
  if (isUnique && NEVER_UNIQUE.includes(type))
    yield {
      path: 'isUnique',
      code: 'never_unique',
      message: `must be false: values of type ${type} cannot be unique`,
    }
}

function* configProblems({ config, type }: NewAttribute): Generator<Problem> {
  const path = 'config'
  if (type === 'select' && !(config && 'options' in config))
    yield { path, code: 'required', message: 'must be {"options": […]} for a select attribute' }
  else if (type === 'reference' && !(config && 'allowed_object_id' in config))
    yield {
      path,
      code: 'required',
      message: 'must be {"allowed_object_id": "<id>"} for a reference attribute',
    }
  else if (config && type !== 'select' && type !== 'reference')
    yield { path, code: 'not_allowed', message: `must be null or absent for an attribute of type ${type}` }
}

function canonical(config: AttributeConfig): AttributeConfig {
  if (config && 'allowed_object_id' in config)
    return { allowed_object_id: config.allowed_object_id.toLowerCase() }
  return config
}

/** The attribute with its defaults. @throws 400 validation_error naming everything wrong */
export function definitionOf(input: NewAttribute): Definition {
  const problems = [...slugProblems(input), ...uniqueProblems(input), ...configProblems(input)]
  if (problems.length > 0) throw invalid('validation_error', problems)
  return {
    name: input.name,
    type: input.type,
    slug: input.slug ?? slugFrom(input.name) ?? '',
    isSlugGiven: input.slug !== undefined,
    isRequired: input.isRequired ?? false,
    isUnique: input.isUnique ?? false,
    isList: input.isList ?? false,
    config: canonical(input.config ?? null),
  }
}
