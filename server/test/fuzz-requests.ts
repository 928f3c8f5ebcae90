// Generated requests: valid ones with unusual pieces in any place, so that they pass the first checks.
import fc from 'fast-check'
import { FILTER_OPERATORS, SEARCH_OPERATORS } from '../../contract/operators.ts'
import { codingOf } from '../http/content-coding.ts'
import { anyText } from './any-text.ts'
import type { ApiRoute } from './api-routes.ts'
import type { Edit } from './fuzz-json.ts'
import { FAULTY, FIELDS, HEADER_TEXTS, LIST_PARAMETERS, ODD_JSON, ODD_TEXTS, SLUGS } from './fuzz-pieces.ts'
import { pieceOf } from './fuzz-schema.ts'

/** A plan of a request: which of the known valid requests it is made from, and its changes. */
export interface FuzzedRequest {
  route: ApiRoute
  good: number
  method: string | undefined
  /** Replaces the n-th id of the path; a number selects one of the known ids. */
  path: (string | number | undefined)[]
  /** Replaces the query; a number selects one of the route's parameters. */
  query: [name: string | number, value: string | number][] | undefined
  /** Text appended to the address without encoding. */
  rawUrl: string
  edits: readonly Edit[]
  /** Replaces the body. */
  body: string | undefined
  /** The length at which the body is cut. */
  cut: number | undefined
  headers: Record<string, string>
  key: 'mine' | 'none' | 'scoped' | 'odd'
}

const oddText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...SLUGS) },
  { weight: 2, arbitrary: anyText(40) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uuid() },
)

const jsonText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ODD_JSON) },
  { weight: 4, arbitrary: oddText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4, stringUnit: 'binary' }) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String) },
  { weight: 1, arbitrary: oddText },
)

const edit: fc.Arbitrary<Edit> = fc.record({
  index: fc.nat(60),
  action: fc.constantFrom(
    'alike',
    'alike',
    'alike',
    'alike',
    'replace',
    'replace',
    'add',
    'add',
    'remove',
    'wrap',
  ),
  key: fc.oneof(fc.constantFrom(...SLUGS), fc.constantFrom(...FIELDS), oddText),
  text: jsonText,
  alike: fc.record({
    string: fc.oneof(oddText, fc.constantFrom(...SLUGS, ...SEARCH_OPERATORS)),
    number: fc.oneof(
      fc.constantFrom('0', '-1', '1.5', '-0', '1e400', '1e-9', '9007199254740993'),
      fc.nat(200).map(String),
    ),
  }),
})

/** A value in one of `times` requests. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>, times: number) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const pathPiece = fc.oneof(
  { weight: 24, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.nat(500) },
  { weight: 2, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom('people', 'companies', 'deals', 'things', 'bulk', 'search') },
)

const filterName = fc
  .tuple(
    fc.oneof(fc.constantFrom(...SLUGS), oddText),
    fc.oneof(fc.constantFrom(...SEARCH_OPERATORS, ...FILTER_OPERATORS), oddText),
  )
  .map(([slug, operator]) => `filter[${slug}][${operator}]`)

const parameterName = fc.oneof(
  { weight: 8, arbitrary: fc.nat(20) },
  { weight: 2, arbitrary: fc.constantFrom(...LIST_PARAMETERS) },
  { weight: 4, arbitrary: filterName },
  { weight: 1, arbitrary: oddText },
)
const parameterValue = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '1',
      '5',
      '100',
      '0',
      'true',
      'false',
      'asc',
      'desc',
      'created_at',
      'updated_at',
    ),
  },
  { weight: 3, arbitrary: oddText },
  // One of the known ids or cursors.
  { weight: 3, arbitrary: fc.nat(500) },
)

const headerText = fc.oneof(fc.constantFrom(...HEADER_TEXTS), oddText)

const headers = fc
  .record(
    {
      'idempotency-key': headerText,
      'if-match': headerText,
      'x-request-id': headerText,
      'content-type': fc.constantFrom(
        'application/json',
        'application/json; charset=utf-16',
        'text/plain',
        '',
        'application/json;;;',
        'x'.repeat(5000),
      ),
      'content-encoding': fc.constantFrom('gzip', 'identity'),
      // The test cannot read compressed answers.
      'accept-encoding': headerText.filter((text) => codingOf(text) === undefined),
      accept: fc.constantFrom('text/html', '*/*', ''),
      'x-forwarded-for': headerText,
      'x-http-method-override': fc.constantFrom('DELETE', 'PUT'),
      host: headerText,
    },
    { requiredKeys: [] },
  )
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined)) as Record<
        string,
        string
      >,
  )

const someHeaders = fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers })

/** The valid body with changes, a body made from the schema, or any JSON. */
function bodyOf({ body }: ApiRoute): fc.Arbitrary<string | undefined> {
  const fromSchema = body ? pieceOf(body) : jsonText
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant(undefined) },
    { weight: body ? 10 : 0, arbitrary: fromSchema },
    { weight: 1, arbitrary: jsonText },
  )
}

/** A valid request without changes, so that each route gets some, even if few changed ones are valid. */
const unchanged = (route: ApiRoute): fc.Arbitrary<FuzzedRequest> =>
  fc.nat(1000).map((good) => ({
    route,
    good,
    method: undefined,
    path: [],
    query: undefined,
    rawUrl: '',
    edits: [],
    body: undefined,
    cut: undefined,
    headers: {},
    key: 'mine',
  }))

function changed(route: ApiRoute): fc.Arbitrary<FuzzedRequest> {
  return fc.record({
    route: fc.constant(route),
    good: fc.nat(1000),
    method: seldom(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), 12),
    path: fc.array(pathPiece, { maxLength: 3 }),
    query: seldom(
      fc.array(fc.tuple(parameterName, parameterValue), { maxLength: 5 }),
      route.query.length > 0 ? 2 : 12,
    ),
    rawUrl: fc.oneof(
      { weight: 15, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom(...FAULTY) },
    ),
    edits: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(edit, { minLength: 1, maxLength: 3, size: 'xsmall' }) },
    ),
    body: bodyOf(route),
    cut: seldom(fc.nat(200), 25),
    headers: someHeaders,
    key: fc.oneof(
      { weight: 20, arbitrary: fc.constant('mine' as const) },
      { weight: 1, arbitrary: fc.constantFrom('none' as const, 'scoped' as const, 'odd' as const) },
    ),
  })
}

export const fuzzedRequest = (routes: readonly ApiRoute[]): fc.Arbitrary<FuzzedRequest> =>
  fc.oneof(
    ...routes.map((route) =>
      fc.oneof({ weight: 11, arbitrary: changed(route) }, { weight: 1, arbitrary: unchanged(route) }),
    ),
  )
