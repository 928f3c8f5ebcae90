// Tests the messages for values that break the rules of a schema: for each keyword, and through unions.
import { type TSchema, Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { literals, Nullable, oneOf, StrictObject, Timestamp } from '../../contract/common.ts'
import { RecordQuery } from '../../contract/records.ts'
import { validationProblems } from './problems.ts'
import { shapeCheck } from './validate.ts'

const NUMBERS = Array.from({ length: 12 }, (_, index) => `number_${index + 1}`)

const said = (schema: TSchema, value: unknown) =>
  validationProblems(schema, value).map(({ path, message }) => `${path}: ${message}`)

describe('the message for a broken rule', () => {
  test.each<[TSchema, unknown, string]>([
    [Type.String(), 5, 'must be text'],
    [Type.Integer(), 1.5, 'must be a whole number'],
    [Type.Number(), '1', 'must be a number'],
    [Type.Boolean(), 'yes', 'must be true or false'],
    [Type.Null(), 1, 'must be null'],
    [Type.Array(Type.String()), 'x', 'must be an array'],
    [StrictObject({}), [], 'must be an object'],
    [StrictObject({}), undefined, 'is missing: send an object'],
    [Type.String({ minLength: 2, examples: ['ab'] }), 'x', 'must have at least 2 characters, such as "ab"'],
    [Type.String({ maxLength: 1 }), 'xy', 'must have at most one character: send a shorter text'],
    [Timestamp, 'now', 'has the wrong format: send a value, such as "2026-11-20T10:00:00.000Z"'],
    [Type.Integer({ minimum: 1 }), 0, 'must be at least 1'],
    [Type.Integer({ maximum: 3 }), 4, 'must be at most 3'],
    [Type.Number({ exclusiveMinimum: 0 }), 0, 'must be more than 0'],
    [Type.Number({ exclusiveMaximum: 9 }), 9, 'must be less than 9'],
    [Type.Number({ multipleOf: 5 }), 7, 'must be a multiple of 5'],
    [Type.Array(Type.String(), { minItems: 1 }), [], 'must have at least one element'],
    [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'must have at most one element: send fewer'],
    [
      Type.Array(Type.String(), { uniqueItems: true }),
      ['a', 'a'],
      'must not contain duplicates: send each element once',
    ],
    [Type.Object({}, { minProperties: 1 }), {}, 'must have at least one field'],
    [Type.Object({}, { maxProperties: 1 }), { a: 1, b: 2 }, 'must have at most one field: send fewer'],
    [Type.Literal('csv'), 'xml', 'must be "csv"'],
    [oneOf(['csv', 'xlsx']), 'CSV', 'must be one of "csv", "xlsx": did you mean "csv"?'],
  ])('%j and %j: %s', (schema, value, message) => expect(said(schema, value)).toEqual([`: ${message}`]))

  test('names the field', () => {
    const schema = StrictObject({ name: Type.String(), at: Nullable(Timestamp), kind: literals(['a', 'b']) })
    expect(said(schema, { Name: 'x', nmae: 'x', zzz: 1 })).toEqual([
      'name: is required: send text',
      'at: is required: send text or null',
      'kind: is required: send "a" or "b"',
      'Name: is not a known field: did you mean "name"?',
      'nmae: is not a known field: did you mean "name"?',
      'zzz: is not a known field: use name, at, kind',
    ])
    expect(said(StrictObject({}), { '': 1 })).toEqual([
      '"": is not a known field: none is taken here, so leave it out',
    ])
  })
})

describe('the message for a union', () => {
  const operand = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

  test.each<[TSchema, unknown, string]>([
    [operand, {}, 'must be text, a number, true or false'],
    [Type.Union([operand, Type.Array(operand)]), null, 'must be text, a number, true, false or an array'],
    [Nullable(Type.Boolean()), 5, 'must be true, false or null'],
    [literals(['asc', 'desc']), 'ASC', 'must be one of "asc", "desc": did you mean "asc"?'],
    [literals(['asc', 'desc']), 5, 'must be one of "asc", "desc"'],
    [Nullable(literals(['a', 'b'])), 'x', 'must be one of "a", "b", null'],
    // The list of choices is complete, although the library stops at eight errors.
    [literals(NUMBERS), 'x', `must be one of ${NUMBERS.map((one) => `"${one}"`).join(', ')}`],
    [Nullable(Type.String({ maxLength: 2 })), 'abc', 'must have at most 2 characters: send a shorter text'],
    [Type.Union([Type.Literal('none'), Type.Integer({ minimum: 1 })]), 0, 'must be at least 1'],
    [Type.Union([Type.Literal('none'), Type.Integer()]), 'x', 'must be a whole number or "none"'],
  ])('%j and %j: %s', (schema, value, message) => expect(said(schema, value)).toEqual([`: ${message}`]))

  test('describes the alternative with the type of the value, also inside that alternative', () => {
    const schema = StrictObject({
      filter: Type.Union([Type.Array(operand), StrictObject({ q: Type.String() })]),
    })
    expect(said(schema, { filter: ['a', {}, null] })).toEqual([
      'filter[1]: must be text, a number, true or false',
      'filter[2]: must be text, a number, true or false',
    ])
    expect(said(schema, { filter: { Q: 'x' } })).toEqual([
      'filter.q: is required: send text',
      'filter.Q: is not a known field: did you mean "q"?',
    ])
    expect(said(schema, { filter: 'x' })).toEqual(['filter: must be an array or an object'])
  })

  test('describes the alternative that the tag selects, or the tag', () => {
    const schema = Type.Union([
      StrictObject({ type: Type.Literal('user'), id: Type.String() }),
      StrictObject({ type: Type.Literal('person'), record: Type.String() }),
    ])
    expect(said(schema, { type: 'person' })).toEqual(['record: is required: send text'])
    expect(said(schema, { type: 'usr' })).toEqual([
      'type: must be one of "user", "person": did you mean "user"?',
    ])
  })

  test('names all fields of alternatives with one field, if none or several are sent', () => {
    const schema = Type.Union([StrictObject({ ids: operand }), StrictObject({ filter: operand })])
    const message = ': must have exactly one of ids, filter'
    expect([said(schema, {}), said(schema, { ids: 'x', filter: 'x' })]).toEqual([[message], [message]])
    expect(said(schema, { ids: {} })).toEqual(['ids: must be text, a number, true or false'])
  })

  test('describes the alternative with the most matching fields if there is no tag', () => {
    const schema = Type.Union([
      StrictObject({ a: Type.String() }),
      StrictObject({ b: Type.String(), c: Type.String() }),
    ])
    expect(said(schema, { b: 'x', c: 5 })).toEqual(['c: must be text'])
  })
})

test('messages for a query name query parameters', () => {
  const messages = (query: object) =>
    validationProblems(RecordQuery, query, 'query parameter').map(({ message }) => message)
  expect(messages({ Limit: '5' })).toEqual(['is not a known query parameter: did you mean "limit"?'])
  expect(messages({ zzz: '5' })).toEqual([
    'is not a known query parameter: use limit, offset, cursor, count, fields, expand, consistency, q, sort, order, filter[<attribute slug>][<operator>]',
  ])
  expect(messages({ 'filter[name]': 'x' })).toEqual([
    'is not a filter: use filter[<attribute slug>][<operator>], such as filter[name][equals]=Acme',
  ])
  expect(validationProblems(StrictObject({}), { limit: '5' }, 'query parameter')).toMatchObject([
    { path: 'limit', message: 'is not a known query parameter: this route takes none, so leave it out' },
  ])
})

test('a message about a whole value begins with the name of the value', () => {
  expect(shapeCheck(StrictObject({}), 'The body')(5)).toEqual([
    { path: '', code: 'type', message: 'The body must be an object' },
  ])
  expect(shapeCheck(StrictObject({}))({})).toEqual([])
})

test('a list of 40 fields is shortened, with the number of the others', () => {
  const schema = StrictObject(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`field_of_${at}`, Type.Optional(Type.String())]),
    ),
  )
  expect(said(schema, { x: 1 })).toEqual([
    expect.stringMatching(/: use field_of_0, .*, field_of_29 and 10 more$/),
  ])
})
