// Converts errors of the schema library to problems with paths and messages. A union fails once for each alternative:
// the message describes the alternative that was probably meant, or else all alternatives.
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import type { Problem } from '../../contract/errors.ts'
import { isRawNumber } from '../base/json.ts'
import {
  alternativesMessage,
  choiceMessage,
  faultMessage,
  type Noun,
  type RuleSchema,
  schemaAt,
  unknownFieldMessage,
} from './fault-messages.ts'

type ErrorOf = ReturnType<typeof Errors>[number]

/** The most problems in one response. */
export const PROBLEMS_MAX = 20

const NAME_CHARACTERS_MAX = 100

/** A name from the request, as a part of a path. */
const shown = (name: string) => (name === '' ? '""' : name.slice(0, NAME_CHARACTERS_MAX))

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** `data`, `email` → `data.email` */
const under = (path: string, name: string): string =>
  path === '' || name === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`

/** `/records/0/id` → `records[0].id` */
const pathOf = (pointer: string) =>
  partsOf(pointer).reduce((path, part) => under(path, /^\d+$/.test(part) ? `[${part}]` : part), '')

const valueAt = (value: unknown, pointer: string): unknown =>
  partsOf(pointer).reduce<unknown>((at, part) => (at as Record<string, unknown> | null)?.[part], value)

const UNION = '/anyOf/'

/** The schema path of the outermost union that contains an error. */
function unionOf({ schemaPath, keyword }: ErrorOf): string | undefined {
  const at = schemaPath.indexOf(UNION)
  if (at >= 0) return schemaPath.slice(0, at)
  return keyword === 'anyOf' ? schemaPath : undefined
}

/** The part of the value's path that corresponds to a schema path: each keyword is one level. */
function instanceAt(instancePath: string, schemaPath: string): string {
  const parts = schemaPath.split('/').slice(1)
  let depth = 0
  for (let at = 0; at < parts.length; at++, depth++)
    if (parts[at] === 'properties' || parts[at] === 'patternProperties') at++
  return instancePath
    .split('/')
    .slice(0, depth + 1)
    .join('/')
}

function typesOf(value: unknown): readonly (string | undefined)[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (isRawNumber(value)) return []
  return typeof value === 'number' ? ['number', 'integer'] : [typeof value]
}

/** Includes alternatives of nested unions. */
const alternativesOf = ({ anyOf = [] }: RuleSchema): RuleSchema[] =>
  anyOf.flatMap((one) => (one.anyOf ? alternativesOf(one) : [one]))

const isConstant = (schema: RuleSchema | undefined) => schema !== undefined && 'const' in schema

/** The field that is a constant in all alternatives and distinguishes them. */
const tagOf = ([first, ...others]: readonly RuleSchema[]): string | undefined =>
  Object.keys(first?.properties ?? {}).find((name) =>
    [first, ...others].every((one) => isConstant(one?.properties?.[name])),
  )

const namesKnown = (schema: RuleSchema, value: object) =>
  Object.keys(value).filter((name) => Object.hasOwn(schema.properties ?? {}, name)).length

/** Whether exactly one of several fields must be sent, such as { ids } or { filter }. */
const isChoice = (alternatives: readonly RuleSchema[]) =>
  alternatives.every(({ properties = {} }) => Object.keys(properties).length === 1)

function inChoice(choice: RuleSchema, value: Readonly<Record<string, unknown>>): Problem[] {
  const choices = Object.keys(choice.properties ?? {})
  const unknown = Object.keys(value).filter((name) => !choices.includes(name))
  const code = namesKnown(choice, value) === 0 ? 'required' : 'not_allowed'
  return [
    { path: '', code, message: `must have exactly one of ${choices.join(', ')}` },
    ...unknown.map((name) => ({
      path: shown(name),
      code: 'unknown_field',
      message: unknownFieldMessage(name, choice, 'field'),
    })),
  ]
}

function inObjects(alternatives: readonly RuleSchema[], value: Readonly<Record<string, unknown>>): Problem[] {
  const tag = tagOf(alternatives)
  if (tag === undefined) {
    const properties: Readonly<Record<string, RuleSchema>> = Object.assign(
      {},
      ...alternatives.map((one) => one.properties),
    )
    if (isChoice(alternatives) && namesKnown({ properties }, value) !== 1)
      return inChoice({ properties }, value)
    const [nearest] = alternatives.toSorted((a, b) => namesKnown(b, value) - namesKnown(a, value))
    return validationProblems(nearest as TSchema, value)
  }
  const tags = alternatives.map((one) => one.properties?.[tag]?.const)
  const meant = alternatives[tags.indexOf(value[tag])]
  if (meant) return validationProblems(meant as TSchema, value)
  return [{ path: tag, code: 'enum', message: choiceMessage(tags, value[tag]) }]
}

function inUnion(union: RuleSchema, value: unknown): Problem[] {
  const alternatives = alternativesOf(union)
  const types = typesOf(value)
  const fitting = alternatives.filter((one) => !isConstant(one) && types.includes(one.type))
  const [only] = fitting
  if (fitting.length > 1 && types.includes('object'))
    return inObjects(fitting, value as Readonly<Record<string, unknown>>)
  if (only) return validationProblems(only as TSchema, value)
  const code = alternatives.every((one) => isConstant(one) || one.type === 'null') ? 'enum' : 'type'
  return [{ path: '', code, message: alternativesMessage(alternatives, value) }]
}

function toProblems(at: RuleSchema | undefined, error: ErrorOf, sent: unknown, noun: Noun): Problem[] {
  const path = pathOf(error.instancePath)
  const params = error.params as { requiredProperties?: string[]; additionalProperties?: string[] }
  if (error.keyword === 'required')
    return (params.requiredProperties ?? []).map((name) => ({
      path: under(path, name),
      code: 'required',
      message: faultMessage({ keyword: 'required', params, schema: at?.properties?.[name] }),
    }))
  if (error.keyword === 'additionalProperties')
    return (params.additionalProperties ?? []).map((name) => ({
      path: under(path, shown(name)),
      code: 'unknown_field',
      message: unknownFieldMessage(name, at, noun),
    }))
  const value = valueAt(sent, error.instancePath)
  const code = error.keyword === 'const' ? 'enum' : error.keyword
  return [{ path, code, message: faultMessage({ keyword: error.keyword, params, schema: at, value }) }]
}

// Errors of `false` schemas only repeat additionalProperties.
const NOISE = new Set(['boolean', 'not'])

/** A pattern is not reported for a text that is too short. */
const isRepeated = ({ keyword, instancePath }: ErrorOf, errors: readonly ErrorOf[]): boolean =>
  NOISE.has(keyword) ||
  (keyword === 'pattern' &&
    errors.some((other) => other.keyword === 'minLength' && other.instancePath === instancePath))

/** @param value an invalid value @param noun the kind of unknown names @returns at least one problem */
export function validationProblems(schema: TSchema, value: unknown, noun: Noun = 'field'): Problem[] {
  const errors = Errors(schema, value)
  const unions = new Set<string>()
  const plain = (error: ErrorOf) => toProblems(schemaAt(schema, error.schemaPath), error, value, noun)
  const problems = errors.flatMap((error) => {
    const union = unionOf(error)
    if (union === undefined) return isRepeated(error, errors) ? [] : plain(error)
    const at = instanceAt(error.instancePath, union)
    if (unions.has(at)) return []
    unions.add(at)
    const within = inUnion(schemaAt(schema, union) ?? {}, valueAt(value, at))
    return within.map((problem) => ({ ...problem, path: under(pathOf(at), problem.path) }))
  })
  return problems.length > 0 ? problems.slice(0, PROBLEMS_MAX) : errors.slice(0, 1).flatMap(plain)
}
